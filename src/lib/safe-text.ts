/**
 * Text that a terminal can only show, never obey: whole escape sequences are taken out first, so that
 * their parameters do not stay behind as noise, then every control; every sign that reorders text or cannot be seen
 * is shown as a mark.
 */
import { showUnseen } from './visible-unicode.ts'

type SafeTextOptions = {
  /** `keep` leaves line breaks and tabs, for texts of several lines; `flatten` makes each a space. */
  readonly breaks: 'keep' | 'flatten'
}

export function safeText(
  text: string,
  { breaks }: SafeTextOptions = { breaks: 'flatten' },
): string {
  if (PLAIN.test(text)) return text
  const shown = showUnseen(
    text
      .toWellFormed()
      .replace(SEQUENCE, '')
      .replace(/\r\n|[\u0085\u2028\u2029]/g, '\n'),
  )
  if (breaks === 'flatten') return shown.replace(/[\n\t]+/g, ' ').replace(CONTROL, '')
  return shown.replace(CONTROL, '')
}

/** Only the sequences are gone: what is left may hold other controls. */
export const withoutSequences = (text: string): string =>
  INTRODUCER.test(text) ? text.replace(SEQUENCE, '') : text

// oxlint-disable-next-line no-control-regex
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/

const PLAIN = /^[\x20-\x7e]*$/

/**
 * ECMA-48, each introducer in its 7-bit and its 8-bit form. A string that nothing ends loses its
 * introducer only: what follows may be text that its author wants to hide. No part can be matched in two
 * ways, so the time is linear.
 */
const SEQUENCE = new RegExp(
  [
    // CSI: colours, cursor, modes.
    '(?:\\x1b\\[|\\x9b)[\\x30-\\x3f]*[\\x20-\\x2f]*[\\x40-\\x7e]',
    // OSC, DCS, SOS, PM, APC: titles, links, the clipboard, up to BEL or ST.
    '(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)',
    // The introducers of a string without an end.
    '\\x1b[\\]PX^_\\[]',
    // Everything else that ESC begins: character sets, reset, save and restore.
    '\\x1b[\\x20-\\x2f]*[\\x30-\\x7e]',
  ].join('|'),
  'g',
)

// Line feed and tab are dealt with before this.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g

/**
 * JSON that says the same and holds nothing that a terminal obeys: what JSON.stringify leaves as it is,
 * such as C1 controls and signs that reorder text, is written as \u escapes.
 */
export function safeJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE_IN_JSON, (sign) =>
    Array.from({ length: sign.length }, (_, at) => escaped(sign.charCodeAt(at))).join(''),
  )
}

const UNSAFE_IN_JSON = /[\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu

const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

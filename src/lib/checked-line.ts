/**
 * Lines of JSON objects that carry, as their member `check`, a hash of themselves and of the line before: a line that
 * was altered, taken out, repeated or moved is known by it. White space changes nothing. It finds damage; a forger can
 * make a new one.
 */
import { sha256Hex, type Checked } from './checksum.ts'

export type CheckedLine = {
  /** Without its check. */
  readonly text: string
  /** What the next line is linked to. */
  readonly link: string
  readonly checked: Checked
}

const DIGITS = 16
const CHECK = /,"check":"([0-9a-f]{16})"\}$/

export const checkOf = (text: string, previous: string): string =>
  sha256Hex(`${previous}\n${text}`).slice(0, DIGITS)

export const withCheck = (text: string, check: string): string =>
  `${text.slice(0, -1)},"check":"${check}"}`

/** `previous`: the link of the line before; the empty text for the first. */
export function readCheckedLine(line: string, previous: string): CheckedLine {
  const found = CHECK.exec(line)
  if (found?.[1] !== undefined) {
    const text = `${line.slice(0, found.index)}}`
    if (checkOf(text, previous) === found[1]) return { text, link: found[1], checked: 'right' }
  }
  const { text = line, value: check } = withoutMember(line, 'check') ?? {}
  if (check === undefined) return { text: line, link: checkOf(line, ''), checked: 'absent' }
  return { text, link: check, checked: checkOf(text, previous) === check ? 'right' : 'wrong' }
}

/** The line as it would have been written without a member that is text. Undefined when it is no object of JSON. */
export function withoutMember(
  line: string,
  name: string,
): { readonly text: string; readonly value: string | undefined } | undefined {
  try {
    const { [name]: value, ...members } = JSON.parse(line) as Record<string, unknown>
    return { text: JSON.stringify(members), value: typeof value === 'string' ? value : undefined }
  } catch {
    // Damaged, or cut: the caller sees that nothing is known of it.
    return undefined
  }
}

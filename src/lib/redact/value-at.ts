/** Reads the value behind a name: in quotes, bare, as a block of YAML, as a word of a shell. */
import { isPhrase, isSample } from './plausible.ts'
import type { TextRange } from './range.ts'

type Value = { readonly start: number; readonly end: number; readonly quoted: boolean }

const OPENING = /[ \t]{0,8}(\\{0,3}|\$)("{3}|'{3}|["'`])/y
const QUOTED_LONGEST = 4096

/** Up to the same quote at the same depth of escaping, on one line. */
export function quotedAt(text: string, at: number): Value | undefined {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening === null) return undefined
  const [all, before = '', quotes = ''] = opening
  const escapes = before === '$' ? '' : before
  const quote = quotes[0]
  const start = at + all.length
  let slashes = 0
  for (let end = start; end < text.length && end - start < QUOTED_LONGEST; end += 1) {
    const sign = text[end]
    if (sign === quote && slashes <= escapes.length) {
      return { start, end: end - slashes, quoted: true }
    }
    if (sign === '\n') return undefined
    slashes = sign === '\\' ? slashes + 1 : 0
  }
  return undefined
}

/** So much of a value is enough to judge it, and one sign more than a password has. */
// oxlint-disable-next-line no-control-regex
const BARE = /[^\s\x00-\x1f"'`,;&<>(){}[\]|\\]{1,257}/y
// oxlint-disable-next-line no-control-regex
const SHELL = /(?:[^\s\x00-\x1f"'`;&<>|\\]|\\ (?=[^\s\\])){1,257}/y
/** The tag or anchor of a value in YAML. */
const TAG = /^[!&][\w/-]{1,40}[ \t]+/

export function bareAt(text: string, at: number, isShell: boolean): Value | undefined {
  let start = at
  while (start - at < 8 && /[ \t]/.test(text[start] ?? '')) start += 1
  const tag = TAG.exec(text.slice(start, start + 80))
  if (!isShell && tag !== null) start += tag[0].length
  const pattern = isShell ? SHELL : BARE
  pattern.lastIndex = start
  const value = pattern.exec(text)?.[0] ?? ''
  if (value === '' || isSample(value.slice(0, 128))) return undefined
  const end = start + value.length
  // A call, an index, an object: code.
  return '([{'.includes(text[end] ?? ' ') ? undefined : { start, end, quoted: false }
}

export function endOfBare(text: string, from: number, isShell: boolean): number {
  const pattern = isShell ? SHELL : BARE
  let end = from
  pattern.lastIndex = end
  while (pattern.test(text)) end = pattern.lastIndex
  return end
}

/** A block of YAML: what the next line holds. */
export function blockAt(text: string, at: number): Value | undefined {
  BLOCK.lastIndex = at
  const block = BLOCK.exec(text)?.[0]
  if (block === undefined) return undefined
  BARE.lastIndex = at + block.length
  const value = BARE.exec(text)?.[0] ?? ''
  const end = at + block.length + value.length
  return { start: at + block.length, end, quoted: false }
}
const BLOCK = /[ \t]{0,8}[>|][+-]?\r?\n[ \t]{1,40}/y

/** A word of a shell may go on behind its quotes: `'it'\\''s'`. The quotes belong to it then. */
export function endOfShellWord(text: string, value: Value): Value {
  const { start, end } = value
  REST_OF_WORD.lastIndex = end
  const rest = REST_OF_WORD.exec(text)?.[0] ?? ''
  return rest === '' ? value : { start: start - 1, end: end + rest.length, quoted: true }
}
const REST_OF_WORD = /["'](?:\\['"]|'[^'\n]{0,256}'|"[^"\n]{0,256}"|[^\s"'`;&<>|\\,)\]}]){1,64}/y

/** A phrase without quotes, where the line holds nothing else; or the four groups that mail services give out. */
export function wordsAt(
  text: string,
  nameStart: number,
  at: number,
  name: string,
): TextRange | undefined {
  WORDS.lastIndex = at
  const [all, words] = WORDS.exec(text) ?? []
  if (all === undefined || words === undefined) return undefined
  const isGroups = /^[a-z]{4}(?: [a-z]{4}){3}$/.test(words)
  const before = text.slice(Math.max(0, nameStart - 40), nameStart)
  const begins = /(?:^|\n|\\n)[ \t>]*(?:[-*] )?(?:[A-Za-z]{2,12} )?$/.test(before)
  const isSaid = begins && /(?:phrase|wor[dt]|passe)$/i.test(name)
  if (!isGroups && !(isSaid && isPhrase(words, 'likely'))) return undefined
  return { start: at + all.length - words.length, end: at + all.length }
}
const WORDS =
  /[ \t]{0,8}([A-Za-z0-9!?$%&+#]{2,20}(?: [A-Za-z0-9!?$%&+#]{2,20}){2,9})(?=[ \t]*(?:\r?\n|$))/y

/** Words in a connection string, up to where its next part begins. */
export function heldAt(
  text: string,
  nameStart: number,
  at: number,
  separator: string,
): TextRange | undefined {
  if (separator !== '=' || text[nameStart - 1] !== ';') return undefined
  HELD.lastIndex = at
  const value = HELD.exec(text)?.[0]
  return value !== undefined && isPhrase(value.replace(/^\{|\}$/g, ''), 'sure')
    ? { start: at, end: at + value.length }
    : undefined
}
const HELD = /(?:\{[^{}\n"']{4,64}\}|[^;\n"'={}()]{4,64})(?=[;"']|[ \t]*(?:\r?\n|$))/y

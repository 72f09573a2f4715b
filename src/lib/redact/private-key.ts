/**
 * Private keys in their armour, whole or cut: in a file, a diff, a quoted string or a JSON string within another.
 * The words of the armour alone, as they stand in code and prose, are no key.
 */
import { RANK, rangeOf, type Range } from './range.ts'

/** No key is longer. */
const LONGEST = 64 * 1024
const BEGIN = /-----BEGIN[ A-Z0-9]{0,30}PRIVATE KEY[ A-Z]{0,10}-----/y
const END = /-----END[ A-Z0-9]{0,30}PRIVATE KEY[ A-Z]{0,10}-----/g
/** The end, as far as it has come. */
const HALF_END = /[\s>+|"'`,-]{0,16}-(?:E|EN|END[ A-Z0-9]{0,40}-{0,4})?$/
const LINE_END = /\r?\n|\\{1,4}[rn]/g
/** A line of the body with what a diff, a quote or code puts around it. Each part takes all it can: none is tried again. */
const LINE_PARTS = [/[\s>+|"'`,-]*/y, /[A-Za-z0-9+/=]*/y, /[\s"'`,+;]*/y] as const
const HEADER_LINE =
  /^[\s>+|"'`,-]*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n]{0,200}$/

type FoundKey = {
  readonly range: Range | undefined
  /** The text ends within the key, so that more may belong to it. */
  readonly open: boolean
}

export function privateKeyAt(text: string, start: number): FoundKey {
  if (text.startsWith('Private-Lines', start)) return puttyKeyAt(text, start)
  BEGIN.lastIndex = start
  const begin = BEGIN.exec(text)
  if (begin === null) return { range: undefined, open: text.length - start < 64 }
  const body = start + begin[0].length
  const next = text.slice(body, body + LONGEST).indexOf('-----BEGIN')
  const window = text.slice(body, next === -1 ? body + LONGEST : body + next)
  END.lastIndex = 0
  const end = END.exec(window)
  if (end !== null && isBody(window.slice(0, end.index))) {
    return { range: keyRange(start, body + end.index + end[0].length), open: false }
  }
  const cut = readLines(window)
  const range = isBody(window.slice(0, cut.length)) ? keyRange(start, body + cut.length) : undefined
  const mayGoOn = end === null && next === -1 && window.length < LONGEST
  return { range, open: mayGoOn && (cut.isWhole || isBody(window)) }
}

/** The private part of a key of PuTTY: as many lines as it says, and the sum that seals them. */
function puttyKeyAt(text: string, start: number): FoundKey {
  PUTTY.lastIndex = start
  const key = PUTTY.exec(text)?.[0]
  if (key === undefined) return { range: undefined, open: text.length - start < 64 }
  const end = start + key.length
  const isSealed = /MAC: \w{40}/.test(key)
  return {
    range: keyRange(start, end),
    open: !isSealed && HALF_LINE.test(text.slice(end, end + 120)),
  }
}
/** The next line, as far as it has come. */
const HALF_LINE = /^[\s>+|\\rn-]{0,16}[\w+/=:-]{0,80} ?$/
const PUTTY =
  /Private-Lines:[ \t]*\d{1,3}(?:(?:\r?\n|\\{1,4}[rn]){1,2}[ \t>+|-]{0,8}[A-Za-z0-9+/=]{8,64}(?![A-Za-z0-9+/=:-])){1,128}(?:(?:\r?\n|\\{1,4}[rn]){1,2}[ \t>+|-]{0,8}Private-(?:MAC|Hash): ?[0-9a-f]{0,64})?/y

const keyRange = (start: number, end: number) => rangeOf(start, end, 'private-key', RANK.key)

/** Most of it is base64, and enough to give something away. */
function isBody(text: string): boolean {
  const runs = text.replace(LINE_END, '\n').match(/[A-Za-z0-9+/=]{24,}/g) ?? []
  const length = runs.reduce((sum, run) => sum + run.length, 0)
  return length >= 40 && length * 2 >= text.length
}

/** How far the lines go that look like a key's, and whether there is nothing else. */
function readLines(text: string): { length: number; isWhole: boolean } {
  let length = 0
  for (const { line, start } of linesOf(text.replace(HALF_END, ''))) {
    const [before, body, after] = partsOf(line)
    if (after === line.length) {
      if (body > before) length = start + body
    } else if (HEADER_LINE.test(line)) length = start + line.length
    else return { length: body - before < 24 ? length : start + body, isWhole: false }
  }
  return { length, isWhole: true }
}

/** Where the parts of a line end. */
function partsOf(line: string): [before: number, body: number, after: number] {
  let at = 0
  const ends = LINE_PARTS.map((part) => {
    part.lastIndex = at
    at += part.exec(line)?.[0].length ?? 0
    return at
  })
  return [ends[0] ?? 0, ends[1] ?? 0, ends[2] ?? 0]
}

function* linesOf(text: string): Generator<{ line: string; start: number }> {
  let start = 0
  for (const { index, 0: sign } of text.matchAll(LINE_END)) {
    yield { line: text.slice(start, index), start }
    start = index + sign.length
  }
  yield { line: text.slice(start), start }
}

/**
 * One pass over a text that says near which places a secret could stand, and of which rule. Everything else is
 * looked at no further, which is what makes clean text cheap. No alternative can scan more than a bounded number of
 * signs from one place, so the time is linear.
 */
import { presetMarks } from './preset.ts'
import { tokenRules } from './token-rules.ts'

export type Clue =
  'private-key' | 'header' | 'url' | 'flag' | 'netrc' | 'login' | 'discord' | 'named'

export type Hit = {
  readonly start: number
  readonly end: number
  /** A literal of the token rules and of the preset, or the words that a secret follows. */
  readonly mark: string | undefined
  readonly clue: Clue | undefined
}

export function hitsIn(text: string): Hit[] {
  const hits: Hit[] = []
  let last = 0
  for (let at = 0; at < text.length; at += 1) {
    last = ((last << 6) | (text.charCodeAt(at) & 63)) & ALL_BEGINNINGS
    if (BEGINNINGS[last] === 1) markAt(text, at - 2, hits)
  }
  // Not `matchAll`, which makes a new expression for each text: most texts are short.
  ANY_CLUE.lastIndex = 0
  for (let match = ANY_CLUE.exec(text); match !== null; match = ANY_CLUE.exec(text)) {
    const clue = CLUE_NAMES[match.findIndex((group, at) => at > 0 && group !== undefined) - 1]
    const start = match.index
    hits.push({ start, end: start + match[0].length, mark: undefined, clue })
  }
  return hits
}

function markAt(text: string, start: number, hits: Hit[]): void {
  MARK.lastIndex = start
  const mark = MARK.exec(text)?.[0]
  if (mark === undefined) return
  const end = start + mark.length
  const ahead = AHEAD[mark]
  if (ahead !== undefined) {
    ahead.lastIndex = end
    if (!ahead.test(text)) return
  }
  hits.push({ start, end, mark, clue: undefined })
}

const marks = [
  ...new Set([
    ...tokenRules.flatMap((rule) => rule.marks),
    ...Object.values(presetMarks).flatMap((rule) => rule.marks),
  ]),
]

const MARK = new RegExp(marks.map((mark) => mark.replace(/[.~/]/g, '\\$&')).join('|'), 'y')

/**
 * The first three signs of every mark, six bits each. One look at this table for each sign of a text is three times
 * as fast as an expression with a hundred alternatives.
 */
const ALL_BEGINNINGS = 0x3ffff
const BEGINNINGS = beginningsOf(marks)

function beginningsOf(marks: readonly string[]): Uint8Array {
  const table = new Uint8Array(ALL_BEGINNINGS + 1)
  for (const mark of marks) {
    const first = ((mark.charCodeAt(0) & 63) << 12) | ((mark.charCodeAt(1) & 63) << 6)
    if (mark.length === 2) table.fill(1, first, first + 64)
    else table[first | (mark.charCodeAt(2) & 63)] = 1
  }
  return table
}

/** What must follow a mark that is short or a word. */
const AHEAD: Readonly<Record<string, RegExp>> = {
  SK: /[0-9a-f]{32}/y,
  'key-': /[0-9a-f]{32}/y,
  'sk-': /[a-zA-Z0-9]{20}|(?:ant|proj|svcacct|admin|None|or-v1|lf)-/y,
  'SG.': /[\w-]{16}/y,
  ':AA': /[\w-]{32}/y,
  '%3AAA': /[\w-]{32}/y,
  'Q~': /[\w~.-]{31}/y,
  AKIA: /[A-Z0-9]{16}/y,
  ASIA: /[A-Z0-9]{16}/y,
  EAAA: /[\w-]{60}/y,
  AIza: /[\w-]{35}/y,
  dapi: /[A-Fa-f0-9]{32}/y,
  eyJ: /[\w-]{8}/y,
  hf_: /[A-Za-z0-9]{34}/y,
  npm_: /\w{36}/y,
}

const anyCase = (word: string) =>
  word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const NAMED = ['pass(?:w|phrase)', 'pwd', 'secret', 'token', 'key', 'credential']
  .map(anyCase)
  .join('|')

/** In the order in which they are tried. What follows a clue is left for the next hit. */
const CLUES: Readonly<Record<Clue, string>> = {
  'private-key': '-----BEGIN(?=[ A-Z0-9]{0,30}PRIVATE KEY)',
  header: '\\b(?:[Bb]earer|BEARER|[Bb]asic)[ \\t]+(?=[\\w+/.=~-]{8})',
  url: ':\\/\\/(?=[^\\s/@:"\'<>]{0,128}:[^\\s/@"\'<>]{1,256}@|[\\w-]{20,255}(?::x-oauth-basic)?@)',
  flag: '--?[a-z-]{0,24}(?:pass(?:word|wd|phrase)?|token|secret|api-?key|access-key)[ \\t]+(?=[^\\s-])',
  netrc: '\\bpassword[ \\t]+(?=[^\\s=:])',
  login: '(?:\\s-u|--user)[ \\t=]{0,2}(?=["\']?[^\\s:"\']{1,64}:[^\\s"\']{8})',
  discord: '\\.(?=[\\w-]{6}\\.[\\w-]{27})',
  named: `(?:${NAMED}|["']auth|_auth|[?&;]sig|AccountKey)[\\w-]{0,32}\\\\{0,3}["'\`]?\\]?[ \\t]{0,8}(?::=|=>|[:=]|>)`,
}

const CLUE_NAMES = Object.keys(CLUES) as readonly Clue[]

const ANY_CLUE = new RegExp(
  Object.values(CLUES)
    .map((clue) => `(${clue})`)
    .join('|'),
  'g',
)

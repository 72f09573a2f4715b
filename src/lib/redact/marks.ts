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
  let clueFrom = 0
  for (let at = 0; at < text.length; at += 1) {
    last = ((last << 6) | (text.charCodeAt(at) & 63)) & ALL_BEGINNINGS
    const begins = BEGINNINGS[last] ?? 0
    if (begins === 0) continue
    const start = at - 2
    if ((begins & A_MARK) !== 0) markAt(text, start, hits)
    if ((begins & A_CLUE) === 0 || start < clueFrom) continue
    clueFrom = Math.max(clueFrom, clueAt(text, start, hits))
  }
  return hits
}

/** Where the next one may begin: what a clue has matched belongs to it alone. */
function clueAt(text: string, start: number, hits: Hit[]): number {
  // Other signs share their six bits with the first of a clue.
  const first = text.charCodeAt(start)
  if (first < 128 && CLUE_SIGNS[first] !== 1) return 0
  ANY_CLUE.lastIndex = start
  const match = ANY_CLUE.exec(text)
  if (match === null) return 0
  const end = start + match[0].length
  const clue = CLUE_NAMES[match.findIndex((group, at) => at > 0 && group !== undefined) - 1]
  hits.push({ start, end, mark: undefined, clue })
  return end
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
  'y',
)

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const WORD = `${LOWER}${LOWER.toUpperCase()}0123456789_-`
const ANY = String.fromCharCode(...Array.from({ length: 64 }, (_, code) => code))

/** The three signs that each clue can begin with, as sets. Blanks of a clue may be any of Unicode's. */
const CLUE_BEGINNINGS: Readonly<Record<Clue, readonly (readonly [string, string, string])[]>> = {
  'private-key': [['-', '-', '-']],
  header: [
    ['Bb', 'e', 'a'],
    ['Bb', 'a', 's'],
    ['B', 'E', 'A'],
  ],
  url: [[':', '/', '/']],
  flag: [['-', `-${LOWER}`, `-${LOWER}`]],
  netrc: [['p', 'a', 's']],
  login: [
    [ANY, '-', 'u'],
    ['-', '-', 'u'],
  ],
  discord: [['.', WORD, WORD]],
  named: [
    ['pP', 'aA', 'sS'],
    ['pP', 'wW', 'dD'],
    ['sS', 'eE', 'cC'],
    ['tT', 'oO', 'kK'],
    ['kK', 'eE', 'yY'],
    ['cC', 'rR', 'eE'],
    [`"'_`, 'a', 'u'],
    ['?&;', 's', 'i'],
    ['A', 'c', 'c'],
  ],
}

const clueBeginnings = Object.values(CLUE_BEGINNINGS).flat()

/** By code, for the signs of ASCII: whether a clue can begin with it. */
const CLUE_SIGNS = new Uint8Array(128)
for (const [first] of clueBeginnings) {
  const signs = first === ANY ? ' \t\n\v\f\r' : first
  for (const sign of signs) CLUE_SIGNS[sign.charCodeAt(0)] = 1
}

/**
 * The first three signs of every mark and clue, six bits each. One look at this table for each sign of a text is
 * several times as fast as an expression with a hundred alternatives.
 */
const ALL_BEGINNINGS = 0x3ffff
const [A_MARK, A_CLUE] = [1, 2]
const BEGINNINGS = beginningsOf(marks)

function beginningsOf(marks: readonly string[]): Uint8Array {
  const table = new Uint8Array(ALL_BEGINNINGS + 1)
  const add = (kind: number, first: number, second: number, third: number) => {
    const at = ((first & 63) << 12) | ((second & 63) << 6) | (third & 63)
    table[at] = (table[at] ?? 0) | kind
  }
  const codes = (signs: string) => Array.from(signs, (sign) => sign.charCodeAt(0))
  for (const mark of marks) {
    const [first = 0, second = 0, third] = codes(mark)
    for (const each of third === undefined ? codes(ANY) : [third]) add(A_MARK, first, second, each)
  }
  for (const [firsts, seconds, thirds] of clueBeginnings) {
    for (const first of codes(firsts)) {
      for (const second of codes(seconds)) {
        for (const third of codes(thirds)) add(A_CLUE, first, second, third)
      }
    }
  }
  return table
}

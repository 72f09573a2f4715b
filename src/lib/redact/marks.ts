/**
 * One pass over a text that says near which places a secret could stand, and of which rule. Everything else is
 * looked at no further, which is what makes clean text cheap. No alternative can scan more than a bounded number of
 * signs from one place, so the time is linear.
 */
import { CLUE_BEGINNINGS } from './clue-beginnings.ts'
import { clueAt, type Clue } from './clues.ts'
import { presetMarks } from './preset.ts'
import { tokenRules } from './token-rules.ts'

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
  let clueEnd = 0
  for (let at = 0; at < text.length; at += 1) {
    last = ((last << 6) | (text.charCodeAt(at) & 63)) & ALL_BEGINNINGS
    const begins = BEGINNINGS[last] ?? 0
    if (begins === 0 || at < 2) continue
    if ((begins & A_MARK) !== 0) markAt(text, at - 2, hits)
    // What stands within a clue begins no other.
    if ((begins & A_CLUE) === 0 || at - 2 < clueEnd) continue
    const found = clueAt(text, at - 2)
    if (found === undefined) continue
    hits.push({ ...found, mark: undefined })
    clueEnd = found.end
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

const MARK = new RegExp(marks.map((mark) => mark.replace(/[.~/$]/g, '\\$&')).join('|'), 'y')

/**
 * The first three signs of every mark and of every clue, six bits each. One look at this table for each sign of a
 * text is several times as fast as expressions with a hundred alternatives.
 */
const ALL_BEGINNINGS = 0x3ffff
const A_MARK = 1
const A_CLUE = 2
const BEGINNINGS = new Uint8Array(ALL_BEGINNINGS + 1)
const ANY_SIGN = String.fromCharCode(...Array(64).keys())

for (const [first = '', second = '', third = ANY_SIGN] of marks) begin(A_MARK, first, second, third)
for (const signs of CLUE_BEGINNINGS) begin(A_CLUE, ...signs)

/** Each is a choice of signs. */
function begin(what: number, first: string, second: string, third: string): void {
  const bits = (signs: string) => Array.from(signs, (sign) => sign.charCodeAt(0) & 63)
  for (const a of bits(first))
    for (const b of bits(second))
      for (const c of bits(third)) {
        const at = (a << 12) | (b << 6) | c
        BEGINNINGS[at] = (BEGINNINGS[at] ?? 0) | what
      }
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

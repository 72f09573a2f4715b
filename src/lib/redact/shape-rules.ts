/** Makes rules of the table of shapes. */
import { defined } from '../defined.ts'
import { isSample, isToken } from './plausible.ts'
import {
  RANK,
  group,
  rangeOf,
  read,
  type Found,
  type Range,
  type Rule,
  type TextRange,
} from './range.ts'

import { SHAPES, type More } from './shapes.ts'

/** What the table says, for the name of the policy. */
export const shapesSaid = SHAPES.map(([kind, marks, rest]) => [kind, marks, rest.source])

/** One for each mark. */
export const shapeRules: readonly Rule[] = SHAPES.flatMap(([kind, marks, rest, more = {}]) =>
  marks.split(' ').map((mark): Rule => ({
    begins: [beginningOf(mark)],
    opening: mark,
    isClue: false,
    ...defined({ also: more.also }),
    find: (text, place) => shapeAt(text, place, kind, rest, more),
  })),
)

/** Behind a mark of one sign stands a word. */
function beginningOf(mark: string): string {
  return mark.length === 1 ? `[${mark}][\\w-][\\w-]` : mark.slice(0, 3).replace(/[.$]/g, '\\$&')
}

/** Signs before a match that may belong to it, to an escape or to a colour. */
const LONGEST_BEFORE = 48
/** Where an expression stops, though the token may go on. */
const CUT = 4096

function shapeAt(
  text: string,
  place: TextRange,
  kind: string,
  rest: RegExp,
  { before, holds, alone: isAlone = false }: More,
): Found {
  const behind = read(text, place.end, rest)
  if (behind === undefined) return NOTHING
  const said = text.slice(Math.max(0, place.start - LONGEST_BEFORE), place.start)
  const head = before === undefined ? '' : before.exec(said)?.[0]
  if (head === undefined) return NOTHING
  const start = place.start - head.length
  const { end } = behind
  const rejected = { ranges: [], end }
  const token = text.slice(start, end)
  if (!isToken(token) || (holds !== undefined && !holds.test(token))) return rejected
  if (
    isAlone &&
    (/[A-Za-z0-9]/.test(signBefore(text, start)) || /[A-Za-z0-9]/.test(text[end] ?? ''))
  )
    return rejected
  const last = end - place.end < CUT ? end : endOfToken(text, end)
  const range = rangeOf(start, last, kind, RANK.token)
  const pair = kind === 'aws-access-key' ? awsSecretAfter(text, last) : []
  return { ranges: [range, ...pair], end: last }
}

const NOTHING: Found = { ranges: [], end: 0 }

/** The sign before a place: of an escape or a colour, whose letters seem to belong to what follows, a blank. */
function signBefore(text: string, start: number): string {
  const said = text.slice(Math.max(0, start - LONGEST_BEFORE), start)
  return ESCAPE.test(said) ? ' ' : said.slice(-1)
}
const ESCAPE =
  // oxlint-disable-next-line no-control-regex
  /(?:(?:\x1b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,16}[A-Za-z]|\\{1,4}u[0-9a-f]{4}|\\{1,4}[nrtbf"']|%[0-9A-F]{2})$/i

const endOfToken = (text: string, from: number): number =>
  read(text, from, /[\w.~+/=%-]*/y)?.end ?? from

/** The secret key that is written behind its id, as in a table or a pair. */
function awsSecretAfter(text: string, from: number): Range[] {
  const place = group(text, from, AWS_SECRET)
  return place === undefined || isSample(text.slice(place.start, place.end))
    ? []
    : [{ ...rangeOf(place.start, place.end, 'aws-secret', RANK.token), from }]
}
const AWS_SECRET = /[^\n]{1,80}?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dy

/** The part of a text that shows why it was found, with the places of the matches in it. */
import { piecesOf } from './identifiers.ts'
import type { Term } from './query.ts'
import { MARK_END, MARK_START } from './text.ts'

/** UTF-16 units, end exclusive. */
type Range = { readonly start: number; readonly end: number }

export type Snippet = {
  readonly text: string
  /** Within `text`. */
  readonly ranges: readonly Range[]
  /** Something was left out before or after. */
  readonly isCut: { readonly before: boolean; readonly after: boolean }
}

const LENGTH = 200

/** Takes the marks out of a text that SQLite highlighted. */
export function readMarks(marked: string): { text: string; ranges: Range[] } {
  const ranges: Range[] = []
  let text = ''
  for (const part of marked.split(MARK_START)) {
    const end = part.indexOf(MARK_END)
    if (end !== -1) ranges.push({ start: text.length, end: text.length + end })
    text += part.replace(MARK_END, '')
  }
  return { text, ranges }
}

/** For a word that was found by its pieces only: where compounds with such pieces stand. */
export function findPieces(text: string, terms: readonly Term[]): Range[] {
  const wanted = new Set(
    terms.flatMap(({ text: word }) => word.split(/[^\p{L}\p{N}]+/u).flatMap(piecesOf)).map(folded),
  )
  const ranges: Range[] = []
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]{2,64}/gu)) {
    let start = index
    for (const piece of piecesOf(word)) {
      if (wanted.has(folded(piece))) ranges.push({ start, end: start + piece.length })
      start += piece.length
    }
    if (ranges.length >= 50) break
  }
  return ranges
}

const folded = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Around the densest group of matches, cut where words end. */
export function snippetOf(text: string, ranges: readonly Range[]): Snippet {
  const centre = densest(ranges)
  const from = wordBorder(text, Math.max(0, centre.start - Math.floor(LENGTH / 4)), 1)
  const to = wordBorder(text, Math.min(text.length, Math.max(from + LENGTH, centre.end)), -1)
  return {
    text: text.slice(from, to),
    ranges: ranges
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start - from, end: end - from })),
    isCut: { before: from > 0, after: to < text.length },
  }
}

function densest(ranges: readonly Range[]): Range {
  let best: Range = ranges[0] ?? { start: 0, end: 0 }
  let most = 0
  let last = 0
  for (const [first, { start }] of ranges.entries()) {
    while (last < ranges.length && (ranges[last]?.end ?? 0) <= start + LENGTH * 0.75) last++
    if (last - first <= most) continue
    most = last - first
    best = { start, end: ranges[last - 1]?.end ?? start }
  }
  return best
}

/** The nearest blank in a direction, not far; else a place between two whole characters. */
function wordBorder(text: string, at: number, direction: 1 | -1): number {
  if (at === 0 || at === text.length) return at
  for (let step = 0; step < 20; step++) {
    const place = at + step * direction
    if (/\s/.test(text[place - 1] ?? ' ')) return place
  }
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
}

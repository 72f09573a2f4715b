/** Where a secret stands in a text, and how several findings about one place become one. */

export type Range = {
  readonly start: number
  readonly end: number
  readonly kind: string
  /** Where the words begin that give the secret away, such as the name before a value. */
  readonly from: number
  /** Where two findings overlap, the one with the lower rank names the kind. */
  readonly rank: Rank
  /** What was hidden, if the text holds it in another form, such as base64. */
  readonly value?: string
}

export const RANK = { known: 0, key: 1, token: 2, context: 3, cheap: 4 } as const
type Rank = (typeof RANK)[keyof typeof RANK]

/** A finding without the words around it. */
export const rangeOf = (start: number, end: number, kind: string, rank: Rank): Range => ({
  start,
  end,
  kind,
  from: start,
  rank,
})

export type TextRange = { readonly start: number; readonly end: number }

/** What one rule of the table says. */
export type Rule = {
  /** The first three signs of all that it opens with: a sign or a choice of them for each, `[ab]c[de]`. */
  readonly begins: readonly string[]
  /** A mark to the letter, or an expression that is sticky. */
  readonly opening: string | RegExp
  /** A sign that stands so far behind where it begins. Looked at first, where a mark is frequent. */
  readonly also?: readonly [distance: number, sign: string]
  /** Words that a secret follows: what stands within them begins no others. */
  readonly isClue: boolean
  /** Looks at the place where it opened. */
  find(text: string, place: TextRange): Found
}

/** Up to `end` the same rule need not be tried again. */
export type Found = { readonly ranges: readonly Range[]; readonly end: number }

/** What stands at a place. The pattern is sticky. */
export function read(text: string, at: number, pattern: RegExp): TextRange | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? { start: at, end: pattern.lastIndex } : undefined
}

/** The first group of what stands at a place. The pattern is sticky and tells indices. */
export function group(text: string, at: number, pattern: RegExp): TextRange | undefined {
  pattern.lastIndex = at
  const [start, end] =
    pattern
      .exec(text)
      ?.indices?.slice(1)
      .find((each) => each !== undefined) ?? []
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** Sorted and apart from each other; what overlaps becomes one. */
export function merged(ranges: readonly Range[]): Range[] {
  const apart: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1)
    if (last === undefined || range.start >= last.end) apart.push(range)
    else apart[apart.length - 1] = joined(last, range)
  }
  return apart
}

function joined(first: Range, second: Range): Range {
  const better = second.rank < first.rank ? second : first
  const end = Math.max(first.end, second.end)
  const whole = better.start === first.start && better.end === end
  return {
    start: first.start,
    end,
    kind: better.kind,
    from: Math.min(first.from, second.from),
    rank: better.rank,
    ...(whole && better.value !== undefined && { value: better.value }),
  }
}

/** The parts of sorted ranges that no hole covers. `holes` are sorted too. */
export function without(ranges: readonly Range[], holes: readonly Range[]): Range[] {
  if (holes.length === 0) return [...ranges]
  const left: Range[] = []
  let first = 0
  for (const range of ranges) {
    while (first < holes.length && (holes[first]?.end ?? 0) <= range.start) first += 1
    let start = range.start
    for (let at = first; at < holes.length; at += 1) {
      const hole = holes[at]
      if (hole === undefined || hole.start >= range.end) break
      if (hole.start > start) left.push(partOf(range, start, hole.start))
      start = Math.max(start, hole.end)
    }
    if (start < range.end) left.push(partOf(range, start, range.end))
  }
  return left
}

function partOf(range: Range, start: number, end: number): Range {
  if (start === range.start && end === range.end) return range
  return { start, end, kind: range.kind, from: Math.min(range.from, start), rank: range.rank }
}

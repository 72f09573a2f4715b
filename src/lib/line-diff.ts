/**
 * Which lines of a text were already in the text before it. Exact (a shortest edit script) while the texts
 * differ little; where they differ much, lines that occur once on both sides hold the rest in place, so that
 * time and memory stay bounded whatever the texts are.
 */

/** For every line after: the number of the line before that it is, or -1 when it is new. Numbers only grow. */
export function keptLines(before: readonly string[], after: readonly string[]): Int32Array {
  const kept = new Int32Array(after.length).fill(-1)
  const [old, now] = numbered(before, after)
  const waiting: Part[] = [{ from: 0, to: old.length, start: 0, end: now.length }]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const inner = trim(old, now, part, kept)
    if (inner.from === inner.to || inner.start === inner.end) continue
    if (!shortest(old, now, inner, kept)) waiting.push(...splitAtAnchors(old, now, inner, kept))
  }
  return kept
}

export function countChanges(
  before: readonly string[],
  after: readonly string[],
): { readonly added: number; readonly removed: number } {
  let same = 0
  for (const line of keptLines(before, after)) if (line !== -1) same++
  return { added: after.length - same, removed: before.length - same }
}

/** Half-open ranges of lines: `from`–`to` before, `start`–`end` after. */
type Part = {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/** More differences than this in one part are not worth an exact answer: the effort grows with their square. */
const MAX_DIFFERENCES = 1000

/** Equal lines get equal numbers, which are cheaper to compare. */
function numbered(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
  return [Int32Array.from(before, numberOf), Int32Array.from(after, numberOf)]
}

function trim(old: Int32Array, now: Int32Array, part: Part, kept: Int32Array): Part {
  let { from, to, start, end } = part
  while (from < to && start < end && old[from] === now[start]) kept[start++] = from++
  while (from < to && start < end && old[to - 1] === now[end - 1]) kept[--end] = --to
  return { from, to, start, end }
}

/** Myers' greedy algorithm. False, and nothing marked, when there are too many differences. */
function shortest(old: Int32Array, now: Int32Array, part: Part, kept: Int32Array): boolean {
  const rows = part.to - part.from
  const columns = part.end - part.start
  const most = Math.min(rows + columns, MAX_DIFFERENCES)
  // reached[most + 1 + diagonal] is how far on the old side that diagonal has come.
  const reached = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reached.slice(most + 1 - edits - 1, most + 1 + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const place = most + 1 + diagonal
      const down = reached[place + 1] ?? 0
      const right = (reached[place - 1] ?? 0) + 1
      const goesDown =
        diagonal === -edits || (diagonal !== edits && (reached[place - 1] ?? 0) < down)
      let row = goesDown ? down : right
      while (
        row < rows &&
        row - diagonal < columns &&
        old[part.from + row] === now[part.start + row - diagonal]
      ) {
        row++
      }
      reached[place] = row
      if (row >= rows && row - diagonal >= columns) {
        walkBack(trace, part, kept)
        return true
      }
    }
  }
  return false
}

/** From the end to the beginning along the rounds that led there, marking what was equal on the way. */
function walkBack(trace: readonly Int32Array[], part: Part, kept: Int32Array): void {
  let row = part.to - part.from
  let column = part.end - part.start
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const round = trace[edits] ?? new Int32Array(0)
    const at = (diagonal: number) => round[diagonal + edits + 1] ?? 0
    const diagonal = row - column
    const goesDown =
      diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1))
    const before = goesDown ? diagonal + 1 : diagonal - 1
    const startRow = edits === 0 ? 0 : at(before)
    const startColumn = edits === 0 ? 0 : startRow - before
    while (row > startRow && column > startColumn) {
      row--
      column--
      kept[part.start + column] = part.from + row
    }
    row = startRow
    column = startColumn
  }
}

/** Lines that occur once on each side and in the same order, and the parts between them. */
function splitAtAnchors(old: Int32Array, now: Int32Array, part: Part, kept: Int32Array): Part[] {
  const places = new Map<number, { row: number; column: number }>()
  for (let row = part.from; row < part.to; row++) {
    const line = old[row] ?? -1
    places.set(line, { row: places.has(line) ? -1 : row, column: -1 })
  }
  for (let column = part.start; column < part.end; column++) {
    const place = places.get(now[column] ?? -1)
    if (place === undefined || place.row === -1) continue
    if (place.column === -1) place.column = column
    else place.row = -1
  }
  const both = [...places.values()].filter(({ row, column }) => row !== -1 && column !== -1)
  const anchors = longestRise(both.sort((a, b) => a.row - b.row))
  const parts: Part[] = []
  let { from, start } = part
  for (const { row, column } of anchors) {
    kept[column] = row
    parts.push({ from, to: row, start, end: column })
    from = row + 1
    start = column + 1
  }
  if (anchors.length > 0) parts.push({ from, to: part.to, start, end: part.end })
  return parts
}

/** The longest run of pairs, in the order given, whose columns rise. */
function longestRise<T extends { readonly column: number }>(pairs: readonly T[]): T[] {
  const ends: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (const [index, pair] of pairs.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.column ?? 0) < pair.column) low = middle + 1
      else high = middle
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] ?? -1)
    ends[low] = index
  }
  const rise: T[] = []
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) rise.push(pair)
  }
  return rise.reverse()
}

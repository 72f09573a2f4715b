/** Columns of unknown width: when they do not fit beside each other, the widest are cut first. */
import { safeText } from '../../../lib/safe-text.ts'
import { bold, type Span } from './span.ts'
import { table } from './table.ts'
import { fit, widthOf } from './width.ts'

type ResultTable = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Columns that hold numbers. */
  readonly right: readonly number[]
}

const GAP = 2
const NARROWEST = 8

export function resultTable({ head, rows, right }: ResultTable, columns: number): Span[][] {
  const safe = [head, ...rows].map((row) => row.map((cell) => safeText(cell)))
  const widths = head.map((_, at) => Math.max(1, ...safe.map((row) => widthOf(row[at] ?? ''))))
  const widest = widestFor(widths, columns - GAP * (head.length - 1))
  const cut = safe.map((row) => row.map((cell) => fit(cell, widest)))
  const [first = [], ...rest] = cut
  return table([first.map((name) => bold(name)), ...rest], { columns: Infinity, shrink: 0, right })
}

/** The most that one column can have so that all of them fit. */
function widestFor(widths: readonly number[], room: number): number {
  let left = room
  const sorted = widths.toSorted((a, b) => a - b)
  for (const [at, width] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at))
    if (width > share) return Math.max(NARROWEST, share)
    left -= width
  }
  return Math.max(NARROWEST, ...widths)
}

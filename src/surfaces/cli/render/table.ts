/** Rows with aligned columns. One column gives way when the terminal is narrow. */
import { safeText } from '../../../lib/safe-text.ts'
import { textOf, withText, type Span } from './span.ts'
import { fit, widthOf } from './width.ts'

type TableOptions = {
  readonly columns: number
  /** Which column is cut when the rest needs the room. */
  readonly shrink: number
  readonly right?: readonly number[]
  readonly indent?: number
}

const GAP = '  '
const NARROWEST = 12

export function table(rows: readonly (readonly Span[])[], options: TableOptions): Span[][] {
  const { shrink, right = [], indent = 0 } = options
  const safe = rows.map((row) => row.map((cell) => withText(cell, safeText(textOf(cell)))))
  const widths = widthsOf(safe)
  const others = widths.reduce((sum, width, at) => (at === shrink ? sum : sum + width), 0)
  const room = options.columns - indent - others - GAP.length * (widths.length - 1)
  widths[shrink] = Math.min(widths[shrink] ?? 0, Math.max(NARROWEST, room))
  return safe.map((row) => {
    const spans: Span[] = [' '.repeat(indent)]
    row.forEach((cell, at) => {
      const width = widths[at] ?? 0
      const text = fit(textOf(cell), width)
      const padding = ' '.repeat(width - widthOf(text))
      if (at > 0) spans.push(GAP)
      if (right.includes(at)) spans.push(padding, withText(cell, text))
      else spans.push(withText(cell, text), at === row.length - 1 ? '' : padding)
    })
    return spans
  })
}

function widthsOf(rows: readonly (readonly Span[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, widthOf(textOf(cell)))
    })
  }
  return widths
}

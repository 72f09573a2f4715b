/**
 * A code that was drawn for a terminal, two rows in a line with light signs on dark, as one shape: it can be read by a
 * phone whatever the colours, the font and the space between lines are.
 */
export type QrShape = { readonly width: number; readonly height: number; readonly path: string }

const DRAWN = /^(?:[█▀▄ ]{21,}\n){10,}[█▀▄ ]{21,}\n?$/

/** Undefined for any other text. */
export function qrOf(text: string): QrShape | undefined {
  if (text.length > 20_000 || !DRAWN.test(text)) return undefined
  const lines = text.trimEnd().split('\n')
  // An odd number of rows leaves the lower half of the last line empty.
  const height = lines.length * 2 - (/^▀+$/.test(lines.at(-1) ?? '') ? 1 : 0)
  const dark: string[] = []
  const put = (column: number, row: number) =>
    row < height && dark.push(`M${column} ${row}h1v1h-1z`)
  lines.forEach((line, row) =>
    [...line].forEach((sign, column) => {
      if (sign === ' ' || sign === '▄') put(column, row * 2)
      if (sign === ' ' || sign === '▀') put(column, row * 2 + 1)
    }),
  )
  const width = Math.max(...lines.map((line) => line.length))
  return { width, height, path: dark.join('') }
}

/** Which rows of a long list are near the screen, when each has its own height and most were never measured. */
export type Layout = {
  /** Where each row begins; one more at the end, which is the height of all. */
  readonly offsets: Float64Array
}

export function layOut(
  keys: readonly string[],
  heights: ReadonlyMap<string, number>,
  estimate: number,
): Layout {
  const offsets = new Float64Array(keys.length + 1)
  keys.forEach((key, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + (heights.get(key) ?? estimate)
  })
  return { offsets }
}

export const totalOf = ({ offsets }: Layout): number => offsets.at(-1) ?? 0

/** The row that the point is in. */
export function rowAt({ offsets }: Layout, y: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** From the first row to draw up to the one after the last. */
export function rowsBetween(
  layout: Layout,
  top: number,
  bottom: number,
  margin: number,
): { readonly from: number; readonly to: number } {
  const count = layout.offsets.length - 1
  if (count === 0) return { from: 0, to: 0 }
  return {
    from: rowAt(layout, top - margin),
    to: Math.min(count, rowAt(layout, bottom + margin) + 1),
  }
}

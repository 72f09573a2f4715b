/** Does the same for every item, a few at a time, and gives the results in the items' order. */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  async function lane(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane))
  return results
}

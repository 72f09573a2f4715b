/**
 * Items of several generators as they come. When one fails, or the reader leaves, all are ended: `stop` tells those that
 * are at work.
 */
export async function* together<Item>(
  running: readonly AsyncGenerator<Item, unknown, undefined>[],
  stop: () => void = () => {},
): AsyncGenerator<Item, void, undefined> {
  type Step = { index: number; next: IteratorResult<Item, unknown> }
  const step = async (index: number): Promise<Step> => ({
    index,
    next: (await running[index]?.next()) ?? { done: true, value: undefined },
  })
  const waiting = new Map(running.map((_, index) => [index, step(index)]))
  try {
    while (waiting.size > 0) {
      const { index, next } = await Promise.race(waiting.values())
      if (next.done) {
        waiting.delete(index)
        continue
      }
      yield next.value
      waiting.set(index, step(index))
    }
  } finally {
    if (waiting.size > 0) stop()
    // The first failure is the one that is thrown; what the others say while they are ended is not told.
    for (const each of waiting.values()) each.catch(() => {})
    await Promise.allSettled([...waiting.keys()].map((index) => running[index]?.return(undefined)))
  }
}

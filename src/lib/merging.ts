/**
 * Items of several generators as they come, where more may join while they run. A generator goes on when the item that
 * it gave was taken. Ends when all have; when one fails, or the reader leaves, all are ended.
 */
import { deferred } from './deferred.ts'

export interface Merging<Item> {
  add(generator: AsyncGenerator<Item, unknown, undefined>): void
  items(): AsyncGenerator<Item, void, undefined>
}

export function merging<Item>(): Merging<Item> {
  type Source = AsyncGenerator<Item, unknown, undefined>
  type Step = { readonly source: Source; readonly next: IteratorResult<Item, unknown> }
  const waiting = new Map<Source, Promise<Step>>()
  let joined = deferred<undefined>()
  const step = async (source: Source): Promise<Step> => ({ source, next: await source.next() })
  const take = (source: Source) => {
    const next = step(source)
    next.catch(() => {}) // its failure is met by the race below, perhaps a while later
    waiting.set(source, next)
  }
  return {
    add(source) {
      take(source)
      joined.resolve(undefined)
    },
    async *items() {
      try {
        while (waiting.size > 0) {
          const first = await Promise.race([...waiting.values(), joined.promise])
          if (first === undefined) {
            joined = deferred()
            continue
          }
          const { source, next } = first
          waiting.delete(source)
          if (next.done) continue
          yield next.value
          take(source)
        }
      } finally {
        await Promise.allSettled([...waiting.keys()].map((source) => source.return(undefined)))
      }
    },
  }
}

/** Items for one follower, in order: what it is told first, then what happens, until one of the signals fires. */
import type { FeedItem } from '../../engine/live/feed.ts'
import type { LogRecord } from '../../log/record.ts'

type Listener = (item: FeedItem) => void

/** Beyond it a follower that does not keep up is not told what was not stored anyway. */
const MOST_HELD = 10_000

export const firstItems = (records: readonly LogRecord[], end: number): readonly FeedItem[] => [
  ...records.map((record) => ({ kind: 'event', ...record }) as const),
  { kind: 'live', end },
]

/** Listens from the moment of the call to `next` on that gives the first item; the caller took `first` in that moment. */
export async function* tellTo(
  listeners: Set<Listener>,
  first: readonly FeedItem[],
  signals: readonly AbortSignal[],
): AsyncGenerator<FeedItem, void, undefined> {
  const held: FeedItem[] = [...first]
  let wake = (): void => {}
  const listener: Listener = (item) => {
    if (item.kind === 'notice' && held.length > MOST_HELD) return
    held.push(item)
    wake()
  }
  const over = AbortSignal.any([...signals])
  const end = () => wake()
  over.addEventListener('abort', end, { once: true })
  listeners.add(listener)
  try {
    while (!over.aborted) {
      const item = held.shift()
      if (item !== undefined) yield item
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    listeners.delete(listener)
    over.removeEventListener('abort', end)
  }
}

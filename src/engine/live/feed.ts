/**
 * What a session tells those who watch it: durable events in order, notices between them, and `reset`
 * when the log was cut. Nothing is published before it is durable. A listener that throws harms nobody else.
 */
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import type { LogRecord } from '../../log/record.ts'

export type FeedItem =
  | {
      readonly kind: 'event'
      readonly event: Event | Stranger
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'notice'; readonly notice: Notice }
  /** History is told; what follows happens from now on. Given once to each follower. */
  | { readonly kind: 'live'; readonly end: number }
  /** Events from this place on are gone; what follows continues from `end`. */
  | { readonly kind: 'reset'; readonly end: number; readonly upToEventId?: EventId }

export interface Feed {
  publish(records: readonly LogRecord[]): void
  tell(notice: Notice): void
  reset(end: number, upToEventId?: EventId): void
  subscribe(listener: (item: FeedItem) => void): Disposable
  readonly watched: boolean
}

/** `onWatched` is told when the first listener comes and when the last one goes. */
export function createFeed(onWatched: (watched: boolean) => void = () => {}): Feed {
  const listeners = new Set<(item: FeedItem) => void>()
  const send = (item: FeedItem) => {
    for (const listener of listeners) {
      try {
        listener(item)
      } catch {
        // What happened has happened: neither the writer nor the others pay for one that cannot take it.
      }
    }
  }
  return {
    publish(records) {
      for (const { event, start, end } of records) send({ kind: 'event', event, start, end })
    },
    tell: (notice) => send({ kind: 'notice', notice }),
    reset: (end, upToEventId) => send({ kind: 'reset', end, ...defined({ upToEventId }) }),
    subscribe(listener) {
      const mine = (item: FeedItem) => listener(item)
      listeners.add(mine)
      if (listeners.size === 1) onWatched(true)
      return {
        [Symbol.dispose]() {
          if (listeners.delete(mine) && listeners.size === 0) onWatched(false)
        },
      }
    },
    get watched() {
      return listeners.size > 0
    },
  }
}

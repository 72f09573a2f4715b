/** How the turn of a message ends that another process or machine took in, as its log and its queue tell it. */
import type { FeedItem } from '../live/feed.ts'
import type { TurnOutcome } from './message.ts'
import { deferred } from '../../lib/deferred.ts'
import { endsTurn } from '../../state/turn-end.ts'

type Elsewhere = {
  readonly messageId: string
  listen(hear: (item: FeedItem) => void): Disposable
  /** How often it is asked whether the message still waits, and whether the other process still lives. */
  readonly lookMs: number
  /** A process that is gone sends nothing any more. */
  isGone?(): Promise<boolean>
}

interface TurnElsewhere extends Disposable {
  /** `isWaiting`: whether the message is still in the queue there. */
  wait(isWaiting?: () => Promise<boolean>): Promise<TurnOutcome>
}

/** Listens from now on; `wait` goes on listening after it is disposed. */
export function turnElsewhere({ messageId, listen, lookMs, isGone }: Elsewhere): TurnElsewhere {
  const { promise, resolve } = deferred<TurnOutcome>()
  const seen: { turnId?: string; status: 'completed' | 'cancelled' | 'failed'; error?: string } = {
    status: 'completed',
  }
  const listening = listen(hear)
  let isWaited = false
  let missed = 0
  return {
    async wait(isWaiting) {
      isWaited = true
      const timer = setInterval(() => {
        // What cannot be read or asked now is asked again.
        if (isWaiting !== undefined) look(isWaiting).catch(() => {})
      }, lookMs)
      timer.unref()
      try {
        return await promise
      } finally {
        clearInterval(timer)
        listening[Symbol.dispose]()
      }
    },
    [Symbol.dispose]() {
      if (!isWaited) listening[Symbol.dispose]()
    },
  }

  function hear(item: FeedItem): void {
    if (item.kind === 'notice' && item.notice.type === 'session.idle') return over()
    if (item.kind !== 'event' || 'stranger' in item.event) return
    const { event } = item
    if (event.type === 'user.message' && event.data.messageId === messageId) {
      seen.turnId = event.data.turnId ?? messageId
      if (event.data.delivery === 'steering') resolve({ status: 'steered', turnId: seen.turnId })
    }
    if (seen.turnId === undefined) return
    if (event.type === 'abort') seen.status = 'cancelled'
    if (event.type === 'session.error') {
      seen.status = 'failed'
      seen.error = event.data.message
    }
    if (event.type === 'assistant.turn_end' && endsTurn(event) && event.data.turnId === seen.turnId)
      over()
  }

  function over(): void {
    const { turnId, ...how } = seen
    if (turnId !== undefined) resolve({ turnId, ...how })
  }

  async function look(isWaiting: () => Promise<boolean>): Promise<void> {
    if (await isGone?.()) {
      const status = seen.turnId === undefined ? 'withdrawn' : 'cancelled'
      return resolve({ turnId: seen.turnId ?? messageId, status })
    }
    // Between the queue and the log it is in neither for a moment, but not for two looks.
    missed = seen.turnId !== undefined || (await isWaiting()) ? 0 : missed + 1
    if (missed > 1) resolve({ status: 'withdrawn', turnId: messageId })
  }
}

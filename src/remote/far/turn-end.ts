/** How the turn of a message ends that was sent to another machine, as the copy of its log tells it. */
import type { FeedItem } from '../../engine/live/feed.ts'
import type { TurnOutcome } from '../../engine/turn/message.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import type { Mirror } from './mirror.ts'

/** How often it is asked whether a message still waits. */
const LOOK_MS = 2000

interface FarTurnEnd extends Disposable {
  /** `isWaiting`: whether it is still in the queue there. */
  wait(isWaiting?: () => Promise<boolean>): Promise<TurnOutcome>
}

/** Listens from now on; `wait` goes on listening after it is disposed. */
export function farTurnEnd(mirror: Mirror, messageId: string): FarTurnEnd {
  const { promise, resolve } = deferred<TurnOutcome>()
  let turnId: string | undefined
  let status: 'completed' | 'cancelled' | 'failed' = 'completed'
  let error: string | undefined
  let isWaited = false
  let missed = 0
  const listening = mirror.listen(hear)
  return {
    async wait(isWaiting) {
      isWaited = true
      const timer = setInterval(() => {
        // What cannot be asked now is asked again.
        if (isWaiting !== undefined) look(isWaiting).catch(() => {})
      }, LOOK_MS)
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

  function over(id: string): void {
    resolve({ turnId: id, status, ...defined({ error }) })
  }

  function hear(item: FeedItem): void {
    if (item.kind === 'notice' && item.notice.type === 'session.idle' && turnId !== undefined)
      return over(turnId)
    if (item.kind !== 'event' || 'stranger' in item.event) return
    const { event } = item
    if (event.type === 'user.message' && event.data.messageId === messageId) {
      turnId = event.data.turnId ?? messageId
      if (event.data.delivery === 'steering') resolve({ status: 'steered', turnId })
    }
    if (turnId === undefined) return
    if (event.type === 'abort') status = 'cancelled'
    if (event.type === 'session.error') {
      status = 'failed'
      error = event.data.message
    }
    if (event.type === 'assistant.turn_end' && event.data.turnId === turnId) over(turnId)
  }

  /** Between the queue and the log it is in neither for a moment, but not for two looks. */
  async function look(isWaiting: () => Promise<boolean>): Promise<void> {
    missed = turnId !== undefined || (await isWaiting()) ? 0 : missed + 1
    if (missed > 1) resolve({ status: 'withdrawn', turnId: messageId })
  }
}

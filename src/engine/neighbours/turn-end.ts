/** How the turn of a message ends that another process took in, as its log and its queue tell it. */
import type { EngineContext } from '../context.ts'
import type { FeedItem } from '../live/feed.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { TurnOutcome } from '../turn/message.ts'
import { holderElsewhere } from './ask-next-door.ts'
import { deferred } from '../../lib/deferred.ts'

/** How often it is asked whether the message still waits, and whether the other process still lives. */
const LOOK_MS = 1_000

interface TurnEnd extends Disposable {
  wait(isWaiting: () => Promise<boolean>): Promise<TurnOutcome>
}

/** Listens from now on; `wait` goes on listening after it is disposed. */
export function turnEnd(engine: EngineContext, session: LiveSession, messageId: string): TurnEnd {
  const { promise, resolve } = deferred<TurnOutcome>()
  const seen: { turnId?: string; status: 'completed' | 'cancelled' | 'failed'; error?: string } = {
    status: 'completed',
  }
  const listening = session.feed.subscribe(hear)
  let isWaited = false
  let missed = 0
  return {
    async wait(isWaiting) {
      isWaited = true
      const timer = setInterval(() => {
        // What cannot be read or asked now is asked again.
        look(isWaiting).catch(() => {})
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

  function hear(item: FeedItem): void {
    if (item.kind === 'notice') {
      const isOver = item.notice.type === 'session.idle' && seen.turnId !== undefined
      if (isOver) resolve({ turnId: messageId, ...seen })
      return
    }
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
    if (event.type === 'assistant.turn_end' && event.data.turnId === seen.turnId)
      resolve({ ...seen, turnId: seen.turnId })
  }

  async function look(isWaiting: () => Promise<boolean>): Promise<void> {
    await session.watcher.refresh()
    if ((await holderElsewhere(engine, session)) === undefined) {
      // A process that is gone sends nothing any more.
      const { turnId = messageId } = seen
      return resolve({ turnId, status: seen.turnId === undefined ? 'withdrawn' : 'cancelled' })
    }
    // Between the queue and the log it is in neither for a moment, but not for two looks.
    missed = seen.turnId !== undefined || (await isWaiting()) ? 0 : missed + 1
    if (missed > 1) resolve({ status: 'withdrawn', turnId: messageId })
  }
}

/** How the turn of a message ends that another process took in, as the log tells it. */
import type { EngineContext } from '../context.ts'
import type { FeedItem } from '../live/feed.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { TurnOutcome } from '../turn/message.ts'
import { holderElsewhere } from './ask-next-door.ts'
import { deferred } from '../../lib/deferred.ts'

/** How often it is asked whether the other process still lives. */
const LOOK_MS = 1_000

export interface TurnEnd extends Disposable {
  wait(): Promise<TurnOutcome>
}

/** Listens from now on; `wait` goes on listening after it is disposed. */
export function turnEnd(engine: EngineContext, session: LiveSession, messageId: string): TurnEnd {
  const { promise, resolve } = deferred<TurnOutcome>()
  const seen: { turnId?: string; status: 'completed' | 'cancelled' | 'failed'; error?: string } = {
    status: 'completed',
  }
  const hear = (item: FeedItem): void => {
    if (item.kind === 'notice') {
      const isOver = item.notice.type === 'session.idle' && seen.turnId !== undefined
      if (isOver) resolve({ turnId: messageId, ...seen })
      return
    }
    if (item.kind !== 'event' || 'stranger' in item.event) return
    const { event } = item
    if (event.type === 'user.message' && event.data.messageId === messageId)
      seen.turnId = event.data.turnId ?? messageId
    if (seen.turnId === undefined) return
    if (event.type === 'abort') seen.status = 'cancelled'
    if (event.type === 'session.error') {
      seen.status = 'failed'
      seen.error = event.data.message
    }
    if (event.type === 'assistant.turn_end' && event.data.turnId === seen.turnId)
      resolve({ ...seen, turnId: seen.turnId })
  }
  const listening = session.feed.subscribe(hear)
  let isWaiting = false
  return {
    async wait() {
      isWaiting = true
      const timer = setInterval(() => void lookWhetherItLives(), LOOK_MS)
      try {
        return await promise
      } finally {
        clearInterval(timer)
        listening[Symbol.dispose]()
      }
    },
    [Symbol.dispose]() {
      if (!isWaiting) listening[Symbol.dispose]()
    },
  }

  /** A process that is gone sends nothing any more. */
  async function lookWhetherItLives(): Promise<void> {
    await session.watcher.refresh()
    if ((await holderElsewhere(engine, session)) === undefined)
      resolve({ turnId: seen.turnId ?? messageId, status: seen.turnId ? 'cancelled' : 'withdrawn' })
  }
}

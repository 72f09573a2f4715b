/** An agent that only waits for its sub-agents hears at once what people say: also what they sent for later. */
import { deferred } from '../../lib/deferred.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import type { EngineContext } from '../engine-context.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { RunningTurn } from './message.ts'
import { nextInQueue } from './queue.ts'
import { comingSteering, steer } from './steering.ts'

export async function awaitMessage(
  engine: EngineContext,
  session: LiveSession,
  running: RunningTurn,
  signal: AbortSignal,
): Promise<void> {
  running.isWaiting = true
  const { promise, resolve } = deferred<void>()
  using _listening = session.feed.subscribe((item) => {
    if (item.kind !== 'event' || item.event.agentId !== undefined) return
    if (item.event.type === 'user.message') resolve()
  })
  try {
    joinQueued(engine, session, running)
    if (session.work.steering.length === 0) await orAborted(promise, signal)
    await comingSteering(session)
  } finally {
    running.isWaiting = false
  }
}

function joinQueued(engine: EngineContext, session: LiveSession, running: RunningTurn): void {
  if (session.queue.state === 'held') return
  for (let next = nextInQueue(session); next !== undefined; next = nextInQueue(session)) {
    const { message, resolve, reject } = next
    steer(engine, session, running, message).then(
      (outcome) => resolve(outcome ?? { status: 'withdrawn', turnId: running.turnId }),
      reject,
    )
  }
}

/** A message that waits joins the turn that runs, with all that came with it. False when it cannot: it waits on. */
import type { EngineContext } from '../engine-context.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { QueuedMessage } from './message.ts'
import { steer } from './steering.ts'

export async function sendNow(
  engine: EngineContext,
  session: LiveSession,
  takeOut: () => QueuedMessage | undefined,
): Promise<boolean> {
  const { running, state } = session.work
  const item = running === undefined || state !== 'taking' ? undefined : takeOut()
  if (running === undefined || item === undefined) return false
  // In the file until it is in the log.
  session.queue.sending.add(item)
  try {
    const outcome = await steer(engine, session, running, item.message)
    if (outcome !== undefined) item.resolve(outcome)
    else session.queue.messages.push(item)
    return outcome !== undefined
  } catch (error) {
    item.reject(error)
    throw error
  } finally {
    session.queue.sending.delete(item)
    session.queue.kept = session.queue.keep()
    session.feed.tell({ type: 'pending_messages.modified', data: {} })
  }
}

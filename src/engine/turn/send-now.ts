/** A message that waits joins the turn that runs, with all that came with it. False when it cannot: it waits on. */
import type { EngineContext } from '../context.ts'
import type { LiveSession } from '../live/live-session.ts'
import { takeQueued } from './queue.ts'
import { send } from './send.ts'
import { steer } from './steering.ts'

export async function sendNow(
  engine: EngineContext,
  session: LiveSession,
  id: string,
): Promise<boolean> {
  const { running } = session
  if (running?.takesSteering !== true) return false
  const item = takeQueued(session, id)
  if (item === undefined) return false
  try {
    const outcome = await steer(engine, session, running, item.message)
    if (outcome === undefined) {
      send(engine, session, item.message, { whenBusy: 'enqueue' }).then(item.resolve, item.reject)
      return false
    }
    item.resolve(outcome)
  } catch (error) {
    item.reject(error)
    throw error
  }
  return true
}

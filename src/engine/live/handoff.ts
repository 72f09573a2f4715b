/** That a session came over from elsewhere, with what who goes on should know: kept in the log and given to the model. */
import type { Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { commit } from './commit.ts'
import type { LiveSession } from './live-session.ts'

export type HandedOver = Omit<Payload<'session.handoff'>, 'handoffTime'>

export async function recordHandoff(
  engine: EngineContext,
  session: LiveSession,
  from: HandedOver,
): Promise<EventId> {
  const data = { handoffTime: engine.clock().toISOString(), ...from }
  const [record] = await commit(engine, session, [{ type: 'session.handoff', data }])
  if (record === undefined) throw new EngineError('internal', 'The hand-off was not recorded.')
  return record.event.id
}

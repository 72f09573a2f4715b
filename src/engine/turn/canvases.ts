/** Panels that clients show beside a session. Which of them belong to it is in the log, so that they come back with it. */
import type { Payload } from '../../format/event.ts'
import type { EngineContext } from '../engine-context.ts'
import { commit } from '../live/commit.ts'
import type { LiveSession } from '../live/live-session.ts'

type Recorded = Payload<'session.canvas.recorded'>
type Removed = Payload<'session.canvas.removed'>

export async function recordCanvas(
  engine: EngineContext,
  session: LiveSession,
  data: Recorded,
): Promise<void> {
  await commit(engine, session, [{ type: 'session.canvas.recorded', data }])
}

export async function removeCanvas(
  engine: EngineContext,
  session: LiveSession,
  data: Removed,
): Promise<void> {
  await commit(engine, session, [{ type: 'session.canvas.removed', data }])
}

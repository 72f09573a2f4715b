/** Reads from the log what a process that is gone has left of its last turn. */
import type { Event, Stranger } from '../../format/event.ts'
import { logPath } from '../../format/paths.ts'
import { readLog } from '../../log/read.ts'
import { leftWork, type LeftWork } from '../../state/pending-work.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from './live-session.ts'

/** Undefined when there is nothing that can be gone on with. */
export async function readLeftWork(
  { fs }: Pick<EngineContext, 'fs'>,
  session: LiveSession,
): Promise<LeftWork | undefined> {
  const { turns, openTurns, pendingTools, size } = stateOf(session)
  const last = turns.at(-1)
  if (last === undefined || openTurns.length === 0 || pendingTools.length === 0) return undefined
  const events: (Event | Stranger)[] = []
  for await (const { records } of readLog(fs, logPath(session.dir), { from: last.start, to: size }))
    for (const { event } of records) events.push(event)
  return leftWork(events)
}

export const idsOf = ({ calls }: LeftWork): ReadonlySet<string> =>
  new Set(calls.map(({ toolCallId }) => toolCallId))

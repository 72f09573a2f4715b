/** What a sub-agent was told and has said, from the log: it goes on where it was, also in another process. */
import { logPath } from '../../format/paths.ts'
import { readLog } from '../../log/read.ts'
import { createContextFolder } from '../../state/context-folder.ts'
import type { ModelContext } from '../../state/model-context.ts'
import type { Placed } from '../../state/positioned-event.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from './live-session.ts'

export async function contextOf(
  engine: EngineContext,
  session: LiveSession,
  agentId: string,
): Promise<ModelContext> {
  const { tasks, size } = stateOf(session)
  const folder = createContextFolder()
  const from = tasks.find(({ id }) => id === agentId)?.start
  if (from === undefined) return folder.context()
  for await (const { records } of readLog(engine.fs, logPath(session.dir), { from, to: size }))
    for (const record of records) if (record.event.agentId === agentId) folder.push(asRoot(record))
  return folder.context()
}

/** Its own conversation is told by the rules of the session's. */
function asRoot(record: Placed): Placed {
  const { agentId: _, ...event } = record.event
  const { parentToolCallId: __, ...data } = event.data as { readonly parentToolCallId?: string }
  return { ...record, event: { ...event, data } as Placed['event'] }
}

/**
 * The one door by which plan.md, files/ and research/ are changed for people and programs: what each path was and what
 * it becomes are recorded, so that a rewind can take it back, and the log is told.
 */
import type { Draft } from '../../format/event.ts'
import type { EngineContext } from '../engine-context.ts'
import { commit } from '../live/commit.ts'
import { save } from '../live/create.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { withWriter } from '../live/writer.ts'
import { workspaceHistory } from '../history/session-files.ts'

/** Paths are relative to the session's folder, as `files/a.md`. `change` gives what the log is told of it. */
export async function changeWorkspace(
  engine: EngineContext,
  session: LiveSession,
  paths: readonly string[],
  change: () => Promise<readonly Draft[]>,
): Promise<void> {
  await save(engine, session)
  await withWriter(engine, session, {}, async () => {
    const history = await workspaceHistory(engine, session)
    const turnEventId = stateOf(session).turns.at(-1)?.eventId
    await history.look({ turnEventId }, paths)
    const drafts = await change()
    await history.look({ turnEventId }, paths)
    if (drafts.length > 0) await commit(engine, session, drafts)
  })
}

/** Has the agent of a session come up without a message, so that it can be spoken with in its own protocol. */
import type { BetweenTurns, NoticeSink } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'
import { answering } from './resolve-agent.ts'
import { tellBetween } from './title.ts'

/** False when the agent has no protocol of its own. Nothing is written to the log. */
export async function startAgent(
  engine: EngineContext,
  session: LiveSession,
  signal: AbortSignal,
): Promise<boolean> {
  const agent = await answering(engine, session)
  if (agent.start === undefined) return false
  await agent.start(await betweenTurns(engine, session), signal)
  return true
}

export const betweenTurns = async (
  engine: EngineContext,
  session: LiveSession,
): Promise<BetweenTurns & NoticeSink> => ({
  sessionId: session.id,
  context: session.written.hasLog ? await modelContext(engine, session) : NOTHING_SAID,
  state: stateOf(session),
  cwd: session.project.cwd,
  workspacePath: engine.fs.nativePath(session.dir),
  switchboard: engine.switchboard,
  tell: (notice) => tellBetween(engine, session, notice),
})

const NOTHING_SAID = { system: undefined, messages: [] }

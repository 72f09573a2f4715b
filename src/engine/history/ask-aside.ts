/** A question beside the conversation: answered from what was said, and kept nowhere. */
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import type { LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'

const TIME_LIMIT_MS = 5 * 60_000

export async function askAside(
  engine: EngineContext,
  session: LiveSession,
  question: string,
): Promise<string> {
  const agent = await answeringIfAny(engine, session)
  if (agent?.askAside === undefined) {
    throw new EngineError(
      'invalid',
      'The agent of this session answers no questions beside the conversation. Nothing was asked.',
    )
  }
  const context = session.written.hasLog
    ? await modelContext(engine, session)
    : { system: undefined, messages: [] }
  return agent.askAside({ context, question }, AbortSignal.timeout(TIME_LIMIT_MS))
}

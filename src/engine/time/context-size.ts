/** How much a model is given of a session now, in estimated tokens. */
import { defined } from '../../lib/defined.ts'
import { estimateTokens, tokensOf } from '../../state/compaction.ts'
import { answeringIfAny } from '../turn/answering.ts'
import type { EngineContext } from '../context.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'

export type ContextSize = {
  readonly systemTokens: number
  readonly conversationTokens: number
  readonly messages: number
  /** The window of the agent's model, where it is known. */
  readonly window?: number
}

export async function contextSize(
  engine: EngineContext,
  session: LiveSession,
): Promise<ContextSize> {
  const window = (await answeringIfAny(engine, session))?.contextWindow?.(stateOf(session).model)
  const known = { ...defined({ window }) }
  if (!session.written.hasLog)
    return { systemTokens: 0, conversationTokens: 0, messages: 0, ...known }
  const context = await modelContext(engine, session)
  const systemTokens = estimateTokens(context.system ?? '')
  return {
    systemTokens,
    conversationTokens: tokensOf(context) - systemTokens,
    messages: context.messages.length,
    ...known,
  }
}

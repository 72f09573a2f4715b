/** How much a model is given of a session now, in estimated tokens. */
import { defined } from '../../lib/defined.ts'
import { estimateTokens, tokensOf } from '../../state/token-estimate.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'

type ContextSize = {
  readonly systemTokens: number
  readonly conversationTokens: number
  readonly messages: number
  /** What the model is told of its tools; those of MCP servers are counted by themselves. */
  readonly toolDefinitionsTokens: number
  readonly mcpToolsTokens: number
  /** The window of the agent's model, where it is known. */
  readonly window?: number
}

export async function contextSize(
  engine: EngineContext,
  session: LiveSession,
): Promise<ContextSize> {
  const agent = await answeringIfAny(engine, session)
  const window = agent?.contextWindow?.(stateOf(session).model)
  const definitions = agent?.toolDefinitions?.() ?? []
  const tokensIn = (isForeign: boolean): number =>
    definitions
      .filter(({ server }) => (server !== undefined) === isForeign)
      .reduce((sum, { text }) => sum + estimateTokens(text), 0)
  const known = {
    toolDefinitionsTokens: tokensIn(false),
    mcpToolsTokens: tokensIn(true),
    ...defined({ window }),
  }
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

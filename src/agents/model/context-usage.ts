/** How full the window of the model is, told before each call: what front ends draw their gauge from. */
import type { Notice } from '../../format/notice.ts'
import { estimateTokens, tokensOf } from '../../state/token-estimate.ts'
import type { ModelContext } from '../../state/model-context.ts'
import type { Tool } from '../tools/tool.ts'
import { definitionOf } from './build-request.ts'

type Gauge = {
  readonly context: ModelContext
  readonly tools: readonly Tool[]
  readonly window: number | undefined
  /** The first call of a turn. */
  readonly isInitial: boolean
}

export function usageInfo({ context, tools, window, isInitial }: Gauge): Notice {
  const systemTokens = estimateTokens(context.system ?? '')
  const conversationTokens = tokensOf(context) - systemTokens
  const toolDefinitionsTokens = tools.reduce(
    (sum, tool) => sum + estimateTokens(definitionOf(tool).text),
    0,
  )
  return {
    type: 'session.usage_info',
    data: {
      // As of an endpoint that does not tell: none is known, and a gauge needs one.
      tokenLimit: window ?? UNKNOWN_WINDOW,
      currentTokens: systemTokens + conversationTokens + toolDefinitionsTokens,
      messagesLength: context.messages.length + 1,
      systemTokens,
      conversationTokens,
      toolDefinitionsTokens,
      isInitial,
    },
  }
}

/** What the Copilot CLI takes a model for whose window nobody told. */
const UNKNOWN_WINDOW = 128_000

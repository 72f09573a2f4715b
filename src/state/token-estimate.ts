/** How many tokens a context is, estimated: providers count each in their own way, and only afterwards. */
import { isPicture } from './attachments.ts'
import type { ModelContext, ModelMessage, ToolCall } from './model-context.ts'

/** Good enough to decide when to compact: about four bytes of English or code, or one character of CJK, a token. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}

/** About what providers take for a picture of a screen; how large one is, is not known here. */
export const PICTURE_TOKENS = 1000

/** Of a message, estimated: what was said, what tools were asked for, and pictures. */
export const messageTokens = (message: ModelMessage): number =>
  estimateTokens(message.content) +
  (message.role === 'assistant'
    ? (message.toolCalls ?? []).reduce((sum, call) => sum + callTokens(call), 0)
    : (message.attachments ?? []).filter(isPicture).length * PICTURE_TOKENS)

const callTokens = ({ name, arguments: given }: ToolCall): number =>
  estimateTokens(name) + estimateTokens(JSON.stringify(given) ?? '')

/** The tokens of a whole context, estimated. */
export const tokensOf = ({ system, messages }: ModelContext): number =>
  messages.reduce((sum, message) => sum + messageTokens(message), estimateTokens(system ?? ''))

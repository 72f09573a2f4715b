/** Tools that live with clients. */
import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { sessionMethod, type Methods } from '../method.ts'
import type { ToolAnswer } from '../offered-tools.ts'

const answer = z.union([
  z.string(),
  z.looseObject({
    textResultForLlm: z.string(),
    resultType: z.string().optional(),
    error: z.string().optional(),
  }),
])

export const toolMethods: Methods = {
  'session.tools.handlePendingToolCall': sessionMethod(
    'Gives the result of a call. The first one counts.',
    { requestId: z.string(), result: answer.optional(), error: z.string().optional() },
    ({ tools }, { requestId, result, error }) => ({
      success: tools.answer(requestId, answerOf(result, error)),
    }),
  ),
  'session.tools.listPendingRequests': sessionMethod('Calls that wait.', {}, ({ tools, id }) => ({
    items: tools.pending().map((call) => ({ ...call, sessionId: id })),
  })),
  'session.tools.getCurrentMetadata': sessionMethod(
    'Tools that clients offer to the session.',
    {},
    ({ tools }) => ({
      tools: tools.list().map(({ name, description, parameters }) => ({
        name,
        description,
        ...defined({ input_schema: parameters }),
      })),
    }),
  ),
}

function answerOf(
  result: z.output<typeof answer> | undefined,
  error: string | undefined,
): ToolAnswer {
  if (result === undefined) return { text: error ?? 'It gave no result.', outcome: 'failure' }
  if (typeof result === 'string') return { text: result, outcome: 'success' }
  const { textResultForLlm: text, resultType = 'success' } = result
  if (resultType === 'success') return { text, outcome: 'success' }
  const outcome =
    resultType === 'timeout'
      ? 'timeout'
      : resultType === 'denied' || resultType === 'rejected'
        ? 'denied'
        : 'failure'
  return { text: text === '' ? (result.error ?? '') : text, outcome }
}

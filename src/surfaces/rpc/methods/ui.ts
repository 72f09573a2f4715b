/** What a person is asked, beside permissions. */
import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { sessionMethod, type Methods } from '../method.ts'

const filled = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.unknown()).optional(),
})

/** Questions that no agent here asks: a client that answers one is told that none waits. */
const noneWaits = (summary: string) =>
  sessionMethod(summary, { requestId: z.string() }, () => ({ success: false }))

export const uiMethods: Methods = {
  'session.ui.elicitation': sessionMethod(
    'Has a form shown by a client that can, and waits for it.',
    { message: z.string(), requestedSchema: z.looseObject({}) },
    ({ forms }, { message, requestedSchema }, { signal }) =>
      forms.show({ message, requestedSchema }, signal),
  ),
  'session.ui.handlePendingElicitation': sessionMethod(
    'Fills in a form. The first answer counts.',
    { requestId: z.string(), result: filled },
    ({ forms }, { requestId, result: { action, content } }) => ({
      success: forms.fill(requestId, { action, ...defined({ content }) }),
    }),
  ),
  'session.ui.handlePendingUserInput': sessionMethod(
    'Answers a question of the agent. The first answer counts.',
    { requestId: z.string(), response: z.looseObject({ answer: z.string() }) },
    async ({ questions, ops }, { requestId, response }) => ({
      success: await questions.answer(ops, requestId, response.answer),
    }),
  ),
  'session.ui.handlePendingExitPlanMode': noneWaits('Answers a plan. None is ever put forward.'),
  'session.ui.handlePendingSampling': noneWaits('Answers a tool server. None ever asks.'),
  'session.ui.handlePendingAutoModeSwitch': noneWaits('Allows another model. None ever asks.'),
  'session.ui.handlePendingSessionLimitsExhausted': noneWaits(
    'Raises a limit. None is ever asked for.',
  ),
}

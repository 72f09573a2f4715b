/** What a person is asked, beside permissions. */
import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { planAnswer } from '../../../state/plan-approval.ts'

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
  'session.ui.handlePendingExitPlanMode': sessionMethod(
    'Approves a plan, or says what it lacks. The first answer counts.',
    {
      requestId: z.string(),
      response: z.looseObject({
        approved: z.boolean(),
        selectedAction: z.string().optional(),
        feedback: z.string().optional(),
      }),
    },
    async ({ questions, ops }, { requestId, response }) => ({
      success: await questions.answer(ops, requestId, planAnswer(response)),
    }),
  ),
  'session.ui.handlePendingSampling': sessionMethod(
    'Gives a tool server the answer of a model, or none. The first answer counts.',
    { requestId: z.string(), response: z.looseObject({}).optional() },
    ({ serverRequests }, { requestId, response }) => ({
      success: serverRequests.giveSample(requestId, response),
    }),
  ),
  'session.ui.handlePendingAutoModeSwitch': noneWaits('Allows another model. None ever asks.'),
  'session.ui.handlePendingSessionLimitsExhausted': noneWaits(
    'Raises a limit. None is ever asked for.',
  ),
}

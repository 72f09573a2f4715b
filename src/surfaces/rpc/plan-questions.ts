/** A plan that is ready, between the agent that asks and the clients that show it in their own way. */
import type { NoticePayload } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import { planActionOf } from '../../state/plan-approval.ts'
import type { Told } from './wire.ts'

type Question = NoticePayload<'user_input.requested'>

export const planAsked = ({ requestId, plan, toolCallId }: Question): Told => ({
  type: 'exit_plan_mode.requested',
  data: { requestId, ...plan, ...defined({ toolCallId }) },
})

export function planCompleted(requestId: string, answer: string | undefined): Told {
  const selectedAction = answer === undefined ? undefined : planActionOf(answer)
  const feedback = selectedAction === undefined && answer !== '' ? answer : undefined
  return {
    type: 'exit_plan_mode.completed',
    data: {
      requestId,
      approved: selectedAction !== undefined,
      ...defined({ selectedAction, feedback }),
    },
  }
}

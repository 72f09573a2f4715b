/** A plan that is ready, between the agent that asks and the clients that show it in their own way. */
import type { NoticePayload } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import { planActionOf, planWords } from '../../state/plan-approval.ts'
import type { Told } from './wire.ts'

type Question = NoticePayload<'user_input.requested'>

export type PlanAnswer = {
  readonly approved?: unknown
  readonly selectedAction?: unknown
  readonly feedback?: unknown
}

/** In the words in which a person would say it. Undefined when it is no answer. */
export function planAnswer({ approved, selectedAction, feedback }: PlanAnswer): string | undefined {
  if (approved === true)
    return planWords(planActionOf(String(selectedAction ?? 'interactive')) ?? 'interactive')
  if (approved !== false) return undefined
  return typeof feedback === 'string' ? feedback : ''
}

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

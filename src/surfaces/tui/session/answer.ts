/** What a person says to a turn that runs, here or in another process: the answer to what it asks, or that it shall end. */
import type { PermissionDecision } from '../../../engine/agent.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { SessionId } from '../../../format/ids.ts'
import { complain, type SessionContext } from './session-context.ts'
import { refresh } from './refresh.ts'

export const answerPermission = (
  context: SessionContext,
  requestId: string,
  decision: Pick<PermissionDecision, 'kind' | 'feedback' | 'option'>,
): void =>
  unlessWithdrawn(context, requestId, async (id) =>
    (await context.engine.open(id)).answer(requestId, decision),
  )

/** Undefined declines. */
export const answerQuestion = (
  context: SessionContext,
  requestId: string,
  answer: string | undefined,
): void =>
  unlessWithdrawn(context, requestId, async (id) =>
    (await context.engine.open(id)).answerQuestion(requestId, answer),
  )

function unlessWithdrawn(
  context: SessionContext,
  requestId: string,
  answer: (id: SessionId) => Promise<void>,
): void {
  const ask = context.model().asks.find((each) => each.requestId === requestId)
  context.tell({ kind: 'answered', requestId })
  if (context.id === undefined) return
  answer(context.id).catch((error: unknown) => {
    // It was settled while the person was thinking.
    if (error instanceof EngineError && error.code === 'not_found') return
    complain(context, error)
    // It waits still: a machine far away takes no answer that allows more than once, or cannot be reached now.
    if (ask !== undefined) context.tell({ kind: 'not-answered', ask })
    void refresh(context)
  })
}

export function cancelTurn(context: SessionContext): void {
  const { engine, tell, id } = context
  const { mine, theirs } = context.model().turn
  if (id === undefined || (!mine && !theirs)) return
  tell({ kind: 'cancelling' })
  const cancel = async () => (await engine.open(id)).cancel()
  cancel().catch((error: unknown) => {
    tell({ kind: 'settled' })
    complain(context, error)
    void refresh(context)
  })
}

/**
 * Questions of an agent to a person: told, never stored; what was answered is in the result of the tool that asked.
 * While one waits, other processes are shown it.
 */
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import type { Question } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { showQuestion } from '../transport/shown-questions.ts'
import type { LiveSession } from '../live/live-session.ts'

export async function askPerson(
  engine: EngineContext,
  session: LiveSession,
  { question, choices, toolCallId, plan }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  const said = toolCallId === undefined ? undefined : session.asks.said.get(toolCallId)
  if (said !== undefined) return said.answer
  if (!engine.answersQuestions || signal.aborted) return undefined
  const requestId = engine.newId()
  const { promise, resolve } = deferred<string | undefined>()
  const asked = {
    requestId,
    question,
    ...(choices !== undefined && { choices: [...choices] }),
    ...defined({ toolCallId }),
  }
  session.asks.questions.set(requestId, { asked, decide: resolve })
  session.feed.tell({
    type: 'user_input.requested',
    data: { ...asked, allowFreeform: true, ...defined({ plan }) },
  })
  const takeBack = await showQuestion(engine, session, asked)
  const answer = await orAborted(promise, signal)
  session.asks.questions.delete(requestId)
  await takeBack()
  if (answer === 'aborted' && signal.aborted) return undefined
  session.feed.tell({
    type: 'user_input.completed',
    data: { requestId, ...defined({ answer }) },
  })
  return answer
}

/** The first answer wins; undefined declines. */
export function answerQuestion(
  session: LiveSession,
  requestId: string,
  answer: string | undefined,
): void {
  const pending = session.asks.questions.get(requestId)
  if (pending === undefined) {
    throw new EngineError(
      'not_found',
      `No question ${requestId} waits in session ${session.id}: it was answered or withdrawn. Nothing was changed.`,
    )
  }
  session.asks.questions.delete(requestId)
  pending.decide(answer)
}

/**
 * What can be asked of a turn wherever it runs: here it is done at once, elsewhere it is asked of the process that is
 * at work, and whoever asked learns what became of it.
 */
import { defined } from '../../lib/defined.ts'
import { runningIn } from '../../state/running.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { PermissionDecision } from '../agent.ts'
import { answer } from '../turn/answer.ts'
import { cancel } from '../turn/cancel.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { holderElsewhere, post, recorded } from './inbox-post.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { answerQuestion } from '../turn/questions.ts'
import { send } from '../turn/send.ts'
import type { Message, SendOptions, TurnOutcome } from '../turn/send.ts'

/** Returns when the answer is in the log. The first answer wins, wherever it comes from. */
export async function answerAnywhere(
  engine: EngineContext,
  session: LiveSession,
  requestId: string,
  { kind: decision, feedback }: Omit<PermissionDecision, 'by'>,
): Promise<void> {
  const isDecided = ({ openRequests }: SessionState) =>
    !openRequests.some((request) => request.requestId === requestId)
  const here = () =>
    answer(session, requestId, {
      kind: decision,
      by: 'person',
      ...defined({ feedback }),
    })
  if (session.pending.has(requestId)) return here()
  await session.observer.refresh()
  // Answered, withdrawn, or left behind by a process that is gone: nobody waits for it.
  if (isDecided(stateOf(session)) || !(await holderElsewhere(engine, session))) return here()
  const said = feedback === undefined ? {} : { feedback }
  const letter = { version: 1, kind: 'answer', requestId, decision, ...said } as const
  const { status } = await post(engine, session, letter, isDecided)
  if (status === 'over') return here()
  if (!(await recorded(engine, session, isDecided))) throw unrecorded(session)
}

export async function answerQuestionAnywhere(
  engine: EngineContext,
  session: LiveSession,
  requestId: string,
  given: string | undefined,
): Promise<void> {
  const here = () => answerQuestion(session, requestId, given)
  if (session.questions.has(requestId)) return here()
  await session.observer.refresh()
  if (runningIn(stateOf(session)) === undefined || !(await holderElsewhere(engine, session)))
    return here()
  const said = given === undefined ? {} : { answer: given }
  const letter = { version: 1, kind: 'answer-question', requestId, ...said } as const
  const isOver = (state: SessionState) => runningIn(state) === undefined
  if ((await post(engine, session, letter, isOver)).status === 'over') here()
}

/** False when nothing was running. Of a turn elsewhere it returns when that has ended. */
export async function cancelAnywhere(
  engine: EngineContext,
  session: LiveSession,
): Promise<boolean> {
  if (cancel(session)) return true
  await session.observer.refresh()
  const running = runningIn(stateOf(session))
  if (running === undefined || !(await holderElsewhere(engine, session))) return false
  const isOver = (state: SessionState) => runningIn(state) !== running
  const { status } = await post(engine, session, { version: 1, kind: 'cancel', running }, isOver)
  if (status === 'over') return false
  // It was told to stop, and does, however long what it has open takes to be settled.
  await recorded(engine, session, isOver)
  return true
}

/** What another process has taken in and answers there. */
export type HandedOver = { readonly status: 'queued'; readonly messageId: string }

export type Elsewhere = { readonly status: 'steered'; readonly turnId: string } | HandedOver

/** A turn that runs elsewhere is joined, or its process sends the message when it has ended: `whenBusy` says which. */
export async function sendAnywhere(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: SendOptions = {},
): Promise<TurnOutcome | HandedOver> {
  const { whenBusy = 'refuse' } = options
  const given =
    whenBusy === 'refuse' || message.prompt.trim() === ''
      ? undefined
      : await sendElsewhere(engine, session, message, whenBusy)
  return given ?? send(engine, session, message, options)
}

/** Undefined when no other process runs a turn: nothing was sent. */
export async function sendElsewhere(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  whenBusy: 'enqueue' | 'steer',
): Promise<Elsewhere | undefined> {
  const { messageId = engine.newId(), attachments, ...rest } = message
  const sent = { ...rest, messageId, ...(attachments?.length && { attachments }) }
  for (;;) {
    const isHere = session.running !== undefined || session.writer !== undefined || !session.hasLog
    if (isHere) return undefined
    await session.observer.refresh()
    const running = runningIn(stateOf(session))
    if (running === undefined || !(await holderElsewhere(engine, session))) return undefined
    const letter = { version: 1, kind: 'send', running, whenBusy, message: sent } as const
    const isOver = (state: SessionState) => runningIn(state) !== running
    const reply = await post(engine, session, letter, isOver)
    if (reply.status === 'over') continue
    if (reply.how === 'steered') return { status: 'steered', turnId: running }
    return { status: 'queued', messageId }
  }
}

const unrecorded = (session: LiveSession): EngineError =>
  new EngineError(
    'in_use',
    `The answer was taken by the process that is at work in session ${session.id}, and is not in the log yet. ` +
      `Look at the session before you answer again.`,
    { details: { sessionId: session.id } },
  )

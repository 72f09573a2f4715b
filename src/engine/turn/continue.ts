/**
 * Goes on with a turn that a process left waiting when it ended: for permission, for the answer of a person, or for the
 * result of a connected program. It is the same turn and the same questions; what had begun is not begun again.
 */
import { settleInterrupted } from '../../state/repair.ts'
import type { LeftWork } from '../../state/pending-work.ts'
import type { PermissionDecision } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { commit } from '../live/commit.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { idsOf, readLeftWork } from '../live/read-pending-work.ts'
import { withWriter } from '../live/writer.ts'
import { workNextDoor } from '../transport/at-turn.ts'
import { answer as answerHere } from './answer.ts'
import { answeringIfAny } from './resolve-agent.ts'
import { occupy } from './acquire-session.ts'
import { continueTurn } from './turn.ts'
import { tellFailed } from './notify-failure.ts'

/** To a permission request, or to a question, which is known by its call; undefined declines it. */
type LeftAnswer =
  | { readonly requestId: string; readonly decision: PermissionDecision }
  | { readonly toolCallId: string; readonly said: string | undefined }

/** False when nothing waits that could be gone on with here. Then whatever was left open is settled as interrupted. */
export async function continueWork(
  engine: EngineContext,
  session: LiveSession,
  /** To what was left, by its id: it is there before anything is decided without it. */
  answer?: LeftAnswer,
): Promise<boolean> {
  if (session.work.state !== 'idle' || stateOf(session).openTurns.length === 0) return false
  if ((await workNextDoor(engine, session)) !== undefined) return false
  const agent = await answeringIfAny(engine, session)
  return withWriter(engine, session, {}, async () => {
    const left = agent?.continues === true ? await readLeftWork(engine, session) : undefined
    if (session.work.state !== 'idle') return false
    if (left === undefined || !isAsked(left, answer)) {
      await settleAll(engine, session)
      return false
    }
    for (const { requests } of left.calls)
      for (const request of requests) session.asks.left.set(request.requestId, { request })
    if (answer !== undefined && 'requestId' in answer)
      answerHere(session, answer.requestId, answer.decision)
    else if (answer !== undefined) session.asks.said.set(answer.toolCallId, { answer: answer.said })
    await begin(engine, session, left)
    return true
  })
}

const isAsked = ({ calls }: LeftWork, answer: LeftAnswer | undefined): boolean =>
  answer === undefined ||
  calls.some(({ toolCallId, requests }) =>
    'toolCallId' in answer
      ? toolCallId === answer.toolCallId
      : requests.some(({ requestId }) => requestId === answer.requestId),
  )

/** Returns when the agent is at it. */
async function begin(engine: EngineContext, session: LiveSession, left: LeftWork): Promise<void> {
  const { asks, written } = session
  written.kept = idsOf(left)
  const ended = occupy(
    engine,
    session,
    {},
    'begin-turn',
    (running) => continueTurn(engine, session, running, left),
    left.turnId,
  ).finally(() => {
    asks.left.clear()
    asks.said.clear()
  })
  const begun = session.work.running?.begun.promise
  ended.catch((error: unknown) => tellFailed(session, error))
  await Promise.race([begun, ended])
}

async function settleAll(engine: EngineContext, session: LiveSession): Promise<void> {
  const { written } = session
  written.kept = undefined
  // Where the session's opening is still to be written, it settles them.
  if (written.opening === undefined)
    await commit(engine, session, settleInterrupted(stateOf(session)))
}

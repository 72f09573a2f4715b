/** Acts on what another process asks of a session that is at work here, and says what became of it. */
import type { InboxReply, InboxRequest } from '../../format/inbox.ts'
import { defined } from '../../lib/defined.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { setMode, setModel } from '../live/session-settings.ts'
import { answer } from '../turn/answer.ts'
import { cancel } from '../turn/cancel.ts'
import { answerQuestion } from '../turn/questions.ts'
import { changeQueue, queueOf } from '../turn/queue.ts'
import { send } from '../turn/send.ts'

export async function serveRequest(
  engine: EngineContext,
  session: LiveSession,
  request: InboxRequest,
): Promise<InboxReply> {
  switch (request.kind) {
    case 'answer': {
      const { requestId, decision: kind, feedback, option } = request
      answer(session, requestId, { kind, by: 'person', ...defined({ feedback, option }) })
      return done
    }
    case 'answer-question':
      answerQuestion(session, request.requestId, request.answer)
      return done
    case 'queue': {
      const { change } = request
      const changed = change && (await changeQueue(engine, session, change))
      const { entries, isHeld } = queueOf(session)
      return { ...done, ...defined({ changed }), queue: { entries: [...entries], isHeld } }
    }
    case 'set':
      if (request.model !== undefined) await setModel(engine, session, request.model)
      if (request.mode !== undefined) await setMode(engine, session, request.mode)
      return done
    case 'cancel':
      if (!isMeant(session, request.running)) return over
      cancel(session, defined({ queue: request.queue }))
      return done
    case 'send': {
      if (!isMeant(session, request.running)) return over
      const { message, whenBusy, actor } = request
      const { how } = await send(
        engine,
        session,
        { ...message, ...defined({ actor }) },
        { whenBusy, detached: true },
      )
      return { ...done, how: how === 'queued' ? 'queued' : 'steered' }
    }
  }
}

const done = { version: 1, status: 'done' } as const
const over = { version: 1, status: 'over' } as const

/** A turn is known by its id, a tool that a person runs by that of its call. */
function isMeant(session: LiveSession, id: string): boolean {
  const { running } = session.work
  if (running === undefined) return false
  return (
    id === running.turnId ||
    stateOf(session).pendingTools.some(({ toolCallId }) => toolCallId === id)
  )
}

/**
 * Questions of the agent to a person. Every client that can answer is asked at once; the first answer counts, and the
 * others learn of it from the notice that follows. A question outlives the clients that were asked: one that comes later
 * may answer it. When no client ever could, the question is declined at once.
 */
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import type { NoticePayload } from '../../format/notice.ts'
import { ConnectionClosed } from '../../lib/json-rpc/failure.ts'
import { isInterested, type Client } from './client.ts'
import type { Member, Members } from './members.ts'

type Question = NoticePayload<'user_input.requested'>

export interface Questions {
  ask(ops: Session, question: Question): void
  /** False when it was answered, or withdrawn, before. */
  answer(ops: Session, requestId: string, answer: string | undefined): Promise<boolean>
  ended(requestId: string): void
  /** A client that came later is asked what still waits. */
  askAgain(ops: Session, client: Client): void
  /** One waits, and no client is connected that could answer. */
  readonly isForsaken: boolean
  /** Clients came or went. */
  align(ops: Session): void
  /** What nobody answered is declined. */
  giveUp(ops: Session): void
}

type Waiting = {
  readonly question: Question
  readonly controller: AbortController
  readonly declined: Set<Client>
}

export function createQuestions(id: SessionId, members: Members): Questions {
  const waiting = new Map<string, Waiting>()
  const canAnswer = ({ answersQuestions, client }: Member) =>
    answersQuestions || isInterested(client, id, 'user_input.requested')
  /** A client could answer once: it may come back, so questions wait for it. */
  let couldAnswer = false

  async function askOne(ops: Session, { client }: Member, waits: Waiting): Promise<void> {
    const { question: asked, controller, declined } = waits
    const { requestId, question, choices, allowFreeform } = asked
    const params = { sessionId: id, question, choices, allowFreeform }
    try {
      const result = await client.peer.request('userInput.request', params, controller.signal)
      const { answer } = (result ?? {}) as { answer?: unknown }
      if (typeof answer === 'string') return void (await questions.answer(ops, requestId, answer))
    } catch (error) {
      // A client that has gone did not decline; whatever else went wrong there, it gives no answer.
      if (error instanceof ConnectionClosed) return
    }
    declined.add(client)
    declineWhereAllDid(ops)
  }

  /** A client that only listens for the event may still answer, as long as one is there. */
  function declineWhereAllDid(ops: Session): void {
    const able = members.all().filter(canAnswer)
    if (able.length === 0) return
    for (const [requestId, { declined }] of waiting)
      if (able.every(({ client }) => declined.has(client)))
        void questions.answer(ops, requestId, undefined)
  }

  const questions: Questions = {
    ask(ops, question) {
      const able = members.all().filter(canAnswer)
      if (able.length === 0 && !couldAnswer)
        return void questions.answer(ops, question.requestId, undefined)
      const waits = { question, controller: new AbortController(), declined: new Set<Client>() }
      waiting.set(question.requestId, waits)
      for (const member of able) if (member.answersQuestions) void askOne(ops, member, waits)
    },
    async answer(ops, requestId, answer) {
      try {
        await ops.answerQuestion(requestId, answer)
      } catch (error) {
        if (error instanceof EngineError && error.code === 'not_found') return false
        throw error
      }
      questions.ended(requestId)
      return true
    },
    ended(requestId) {
      waiting.get(requestId)?.controller.abort()
      waiting.delete(requestId)
    },
    askAgain(ops, client) {
      const member = members.of(client)
      if (member?.answersQuestions !== true) return
      for (const waits of waiting.values()) void askOne(ops, member, waits)
    },
    get isForsaken() {
      return waiting.size > 0 && !members.some(canAnswer)
    },
    align(ops) {
      couldAnswer ||= members.some(canAnswer)
      declineWhereAllDid(ops)
    },
    giveUp(ops) {
      for (const requestId of waiting.keys()) void questions.answer(ops, requestId, undefined)
    },
  }
  return questions
}

/**
 * Questions of the agent to a person. Every client that can answer is asked at once; the first answer counts, and the
 * others learn of it from the notice that follows. A question outlives the clients that were asked: one that comes later
 * may answer it. When no client ever could, the question is declined at once.
 */
import { isFound } from './failure.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import type { NoticePayload } from '../../format/notice.ts'
import { ConnectionClosed } from '../../lib/json-rpc/failure.ts'
import { isInterested, type Client } from './client.ts'
import type { Member, Members } from './subscribers.ts'
import { planAnswer, type PlanAnswer } from '../../state/plan-approval.ts'

type Question = NoticePayload<'user_input.requested'>

export interface Questions {
  ask(ops: Session, question: Question): void
  /** False when it was answered, or withdrawn, before. */
  answer(ops: Session, requestId: string, answer: string | undefined): Promise<boolean>
  ended(requestId: string): void
  /** It is about a plan, and a client is there that shows plans. */
  isPlan(requestId: string): boolean
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
  /** Shown as plans, and completed as such. */
  const plans = new Set<string>()
  const canAnswer = ({ answersQuestions, client }: Member) =>
    answersQuestions || isInterested(client, id, 'user_input.requested')
  const canApprove = ({ approvesPlans, client }: Member) =>
    approvesPlans || isInterested(client, id, 'exit_plan_mode.requested')
  /** Those who are asked: about a plan, the clients that show plans, if there are any. */
  const ableTo = ({ plan }: Question) =>
    plan !== undefined && members.some(canApprove) ? canApprove : canAnswer
  /** A client could answer once: it may come back, so questions wait for it. */
  let couldAnswer = false

  async function askOne(ops: Session, { client }: Member, waits: Waiting): Promise<void> {
    const { question: asked, controller, declined } = waits
    const { requestId, question, choices, allowFreeform } = asked
    try {
      const answer = await (ableTo(asked) === canApprove
        ? askPlan(client, asked, controller.signal)
        : askWords(client, { question, choices, allowFreeform }, controller.signal))
      if (typeof answer === 'string') return void (await questions.answer(ops, requestId, answer))
    } catch (error) {
      // A client that has gone did not decline; whatever else went wrong there, it gives no answer.
      if (error instanceof ConnectionClosed) return
    }
    declined.add(client)
    declineWhereAllDid(ops)
  }

  async function askWords(client: Client, question: object, signal: AbortSignal): Promise<unknown> {
    const params = { sessionId: id, ...question }
    const result = await client.peer.request('userInput.request', params, signal)
    return ((result ?? {}) as { answer?: unknown }).answer
  }

  async function askPlan(client: Client, { plan }: Question, signal: AbortSignal) {
    const params = { sessionId: id, ...plan }
    const result = await client.peer.request('exitPlanMode.request', params, signal)
    return planAnswer((result ?? {}) as PlanAnswer)
  }

  /** A client that only listens for the event may still answer, as long as one is there. */
  function declineWhereAllDid(ops: Session): void {
    for (const [requestId, { declined, question }] of waiting) {
      const able = members.all().filter(ableTo(question))
      if (able.length > 0 && able.every(({ client }) => declined.has(client)))
        void questions.answer(ops, requestId, undefined)
    }
  }

  /** By a request; others see the event. */
  const isAsked = ({ answersQuestions, approvesPlans }: Member, question: Question) =>
    ableTo(question) === canApprove ? approvesPlans : answersQuestions

  const questions: Questions = {
    isPlan: (requestId) => plans.has(requestId),
    ask(ops, question) {
      const able = members.all().filter(ableTo(question))
      if (able.length === 0 && !couldAnswer)
        return void questions.answer(ops, question.requestId, undefined)
      const waits = { question, controller: new AbortController(), declined: new Set<Client>() }
      waiting.set(question.requestId, waits)
      if (ableTo(question) === canApprove) plans.add(question.requestId)
      for (const member of able) if (isAsked(member, question)) void askOne(ops, member, waits)
    },
    async answer(ops, requestId, answer) {
      if (!(await isFound(ops.answerQuestion(requestId, answer)))) return false
      questions.ended(requestId)
      return true
    },
    ended(requestId) {
      waiting.get(requestId)?.controller.abort()
      waiting.delete(requestId)
    },
    askAgain(ops, client) {
      const member = members.of(client)
      if (member === undefined) return
      for (const waits of waiting.values())
        if (isAsked(member, waits.question)) void askOne(ops, member, waits)
    },
    get isForsaken() {
      return waiting.values().some(({ question }) => !members.some(ableTo(question)))
    },
    align(ops) {
      couldAnswer ||= members.some(canAnswer) || members.some(canApprove)
      declineWhereAllDid(ops)
    },
    giveUp(ops) {
      for (const requestId of waiting.keys()) void questions.answer(ops, requestId, undefined)
    },
  }
  return questions
}

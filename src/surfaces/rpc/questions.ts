/**
 * Questions of the agent to a person. Every client that can answer is asked at once; the first answer counts, and the
 * others learn of it from the notice that follows. When nobody can answer the question is declined at once.
 */
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import type { NoticePayload } from '../../format/notice.ts'
import { isInterested } from './client.ts'
import type { Member, Members } from './members.ts'

type Question = NoticePayload<'user_input.requested'>

export interface Questions {
  ask(ops: Session, question: Question): void
  /** False when it was answered, or withdrawn, before. */
  answer(ops: Session, requestId: string, answer: string | undefined): Promise<boolean>
  ended(requestId: string): void
  settleUnattended(ops: Session): void
}

export function createQuestions(id: SessionId, members: Members): Questions {
  const waiting = new Map<string, AbortController>()
  const canAnswer = ({ answersQuestions, client }: Member) =>
    answersQuestions || isInterested(client, id, 'user_input.requested')

  async function askOne(
    member: Member,
    question: Question,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { question: text, choices, allowFreeform } = question
    const params = { sessionId: id, question: text, choices, allowFreeform }
    const result = await member.client.peer.request('userInput.request', params, signal)
    const { answer } = (result ?? {}) as { answer?: unknown }
    return typeof answer === 'string' ? answer : undefined
  }

  const questions: Questions = {
    ask(ops, question) {
      const { requestId } = question
      const able = members.all().filter(canAnswer)
      if (able.length === 0) return void questions.answer(ops, requestId, undefined)
      const controller = new AbortController()
      waiting.set(requestId, controller)
      const asked = able.filter(({ answersQuestions }) => answersQuestions)
      const answers = asked.map(async (member) => {
        const answer = await askOne(member, question, controller.signal)
        if (answer === undefined) throw new Error('It declined.')
        await questions.answer(ops, requestId, answer)
      })
      // Whoever only listens for the event may still answer, as long as one is there.
      void Promise.any(answers).catch(() => {
        if (asked.length === able.length) void questions.answer(ops, requestId, undefined)
      })
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
      waiting.get(requestId)?.abort()
      waiting.delete(requestId)
    },
    settleUnattended(ops) {
      if (members.some(canAnswer)) return
      for (const requestId of waiting.keys()) void questions.answer(ops, requestId, undefined)
    },
  }
  return questions
}

/** Questions about extensions, outside of any turn: every client that can decide is asked, the first answer counts. */
import { deferred } from '../../../lib/deferred.ts'
import type { Members } from '../subscribers.ts'
import { decisionOf, type Answer } from '../permissions.ts'
import type { Told } from '../wire.ts'

export type ExtensionRequest = { readonly kind: string; readonly extensionName: string } & Readonly<
  Record<string, unknown>
>

export interface ExtensionQuestions {
  ask(request: ExtensionRequest): Promise<boolean>
  /** False when no such question waits. */
  answer(requestId: string, answer: Answer): boolean
  pending(): readonly { readonly requestId: string; readonly request: ExtensionRequest }[]
  /** Clients came or went: what nobody can decide any more is denied. */
  align(): void
}

export function createExtensionQuestions(
  members: Members,
  tell: (told: Told) => void,
): ExtensionQuestions {
  const waiting = new Map<
    string,
    { readonly request: ExtensionRequest; readonly resolve: (isAllowed: boolean) => void }
  >()
  /** What was approved for longer than once, as it was asked. */
  const approved = new Set<string>()
  const canAsk = () =>
    members.some(
      ({ client, answersPermissions }) => answersPermissions && client.extension === undefined,
    )

  const questions: ExtensionQuestions = {
    async ask(request) {
      if (approved.has(JSON.stringify(request))) return true
      if (!canAsk()) return false
      const requestId = crypto.randomUUID()
      const { promise, resolve } = deferred<boolean>()
      waiting.set(requestId, { request, resolve })
      const data = { requestId, permissionRequest: request, promptRequest: request }
      tell({ type: 'permission.requested', data })
      return promise
    },
    answer(requestId, answer) {
      const found = waiting.get(requestId)
      if (found === undefined) return false
      waiting.delete(requestId)
      const decision = decisionOf(answer)
      const isAllowed = decision.kind === 'allow'
      if (isAllowed && !answer.kind.endsWith('once') && answer.kind !== 'approved')
        approved.add(JSON.stringify(found.request))
      const kind = isAllowed
        ? 'approved'
        : decision.by === 'person'
          ? 'denied-interactively-by-user'
          : 'denied-no-approval-rule-and-could-not-request-from-user'
      tell({ type: 'permission.completed', data: { requestId, result: { kind } } })
      found.resolve(isAllowed)
      return true
    },
    pending: () => Array.from(waiting, ([requestId, { request }]) => ({ requestId, request })),
    align() {
      if (canAsk()) return
      for (const requestId of waiting.keys())
        questions.answer(requestId, { kind: 'user-not-available' })
    },
  }
  return questions
}

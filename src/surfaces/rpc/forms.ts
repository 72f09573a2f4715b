/** Forms that a client wants a person to fill in: shown by every client that can, filled in by the first that does. */
import type { Notice } from '../../format/notice.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Members } from './subscribers.ts'

type Form = {
  readonly message: string
  readonly requestedSchema: Readonly<Record<string, unknown>>
}

type Filled = {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

export interface Forms {
  readonly canBeShown: boolean
  /** Cancelled when nobody can show it, or nobody who could is left. */
  show(form: Form, signal: AbortSignal): Promise<Filled>
  /** False when it was filled in before. */
  fill(requestId: string, filled: Filled): boolean
  settleUnattended(): void
}

export function createForms(members: Members, tell: (notice: Notice) => void): Forms {
  const waiting = new Map<string, (filled: Filled) => void>()
  const forms: Forms = {
    get canBeShown() {
      return members.some(({ fillsForms }) => fillsForms)
    },
    async show(form, signal) {
      if (!forms.canBeShown || signal.aborted) return { action: 'cancel' }
      const requestId = crypto.randomUUID()
      const { promise, resolve } = deferred<Filled>()
      waiting.set(requestId, resolve)
      const giveUp = () => void forms.fill(requestId, { action: 'cancel' })
      signal.addEventListener('abort', giveUp, { once: true })
      tell({
        type: 'elicitation.requested',
        data: { requestId, mode: 'form', message: form.message, requestedSchema: schemaOf(form) },
      })
      const filled = await promise
      signal.removeEventListener('abort', giveUp)
      return filled
    },
    fill(requestId, filled) {
      const resolve = waiting.get(requestId)
      if (resolve === undefined) return false
      waiting.delete(requestId)
      const { action, content } = filled
      tell({
        type: 'elicitation.completed',
        data: { requestId, action, ...(content !== undefined && { content: { ...content } }) },
      })
      resolve(filled)
      return true
    },
    settleUnattended() {
      if (forms.canBeShown) return
      for (const requestId of waiting.keys()) forms.fill(requestId, { action: 'cancel' })
    },
  }
  return forms
}

const schemaOf = ({ requestedSchema }: Form) => ({
  type: 'object' as const,
  properties: (requestedSchema['properties'] ?? {}) as Record<string, unknown>,
  ...(Array.isArray(requestedSchema['required']) && {
    required: requestedSchema['required'].filter((name) => typeof name === 'string'),
  }),
})

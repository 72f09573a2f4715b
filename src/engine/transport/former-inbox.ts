/**
 * The inbox as the release before this one speaks it, with six kinds of request in place of operations. May go when
 * nobody runs that release beside this one any more.
 */
import type { FormerRequest, InboxReply, OperationRequest } from '../../format/inbox.ts'

type Params = Readonly<Record<string, unknown>>
type Done = Extract<InboxReply, { readonly status: 'done' }>

/** What such a process is asked in place of an operation. */
export function asFormer({ operation, params, running }: OperationRequest): FormerRequest {
  const { kind: decision, message, whenBusy, ...given } = params as Params
  const { actor, ...rest } = (message ?? {}) as Params
  const forms: Readonly<Record<string, object>> = {
    answer: { kind: 'answer', decision, ...given },
    answerQuestion: { kind: 'answer-question', ...given },
    cancel: { kind: 'cancel', running, ...given },
    queue: { kind: 'queue' },
    changeQueue: { kind: 'queue', ...given },
    setModel: { kind: 'set', model: given },
    setMode: { kind: 'set', ...given },
    send: { kind: 'send', running, whenBusy, actor, message: rest },
  }
  return { version: 1, ...forms[operation] } as FormerRequest
}

/** Its reply, as the result of the operation. */
export function resultOfFormer(operation: string, { how, changed = 0, queue }: Done): unknown {
  if (operation === 'send') return { how: how ?? 'queued' }
  if (operation === 'queue') return queue ?? { entries: [], isHeld: false }
  if (operation === 'changeQueue') return changed
  return operation === 'cancel' ? true : undefined
}

/** The operation that such a process asks for. */
export function asOperation(request: FormerRequest): OperationRequest {
  const { operation, params, running } = operationOf(request)
  return { version: 1, kind: 'operation', operation, params, running }
}

function operationOf(request: FormerRequest): {
  readonly operation: string
  readonly params: unknown
  readonly running?: string
} {
  switch (request.kind) {
    case 'answer': {
      const { requestId, decision: kind, feedback, option } = request
      return { operation: 'answer', params: { requestId, kind, feedback, option } }
    }
    case 'answer-question': {
      const { requestId, answer } = request
      return { operation: 'answerQuestion', params: { requestId, answer } }
    }
    case 'cancel': {
      const { running, queue } = request
      return { operation: 'cancel', params: { queue }, running }
    }
    case 'queue': {
      const { change } = request
      return change === undefined
        ? { operation: 'queue', params: {} }
        : { operation: 'changeQueue', params: { change } }
    }
    case 'set':
      // One of the two is set at a time.
      return request.model === undefined
        ? { operation: 'setMode', params: { mode: request.mode } }
        : { operation: 'setModel', params: request.model }
    case 'send': {
      const { running, whenBusy, actor, message } = request
      return { operation: 'send', params: { message: { ...message, actor }, whenBusy }, running }
    }
  }
}

/** The reply to it, as it reads one. */
export function replyToFormer({ kind }: FormerRequest, reply: InboxReply): InboxReply {
  if (reply.status !== 'done') return reply
  const { result, ...done } = reply
  if (kind === 'send') return { ...done, how: (result as Done).how }
  if (kind !== 'queue') return done
  return typeof result === 'number'
    ? { ...done, changed: result }
    : { ...done, queue: result as Done['queue'] }
}

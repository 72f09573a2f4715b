/**
 * JSON-RPC 2.0 over one pair of streams, both ways, in the order in which it comes. Whatever comes in, every request gets
 * exactly one answer and nothing else does; what is no message gets an error, or is told here, and harms nobody. A side
 * that asks too much waits, and one that reads too slowly is cut off before memory runs out.
 */
import type { Readable, Writable } from 'node:stream'
import { deferred } from '../deferred.ts'
import { defined } from '../defined.ts'
import { errorText } from '../error-text.ts'
import { fieldsOf, isFields } from '../fields.ts'
import { openCalls } from './calls.ts'
import { AnswerTooLarge, ConnectionClosed, RpcFailure, rpcCodes } from './failure.ts'
import { BrokenFrame, type Framing } from './framing.ts'
import { JsonText } from './json-text.ts'
import { openOutbox } from './outbox.ts'
import { openServing, type Id } from './serving.ts'

export type Streams = { readonly input: Readable; readonly output: Writable }

export interface Handlers {
  /** Its result is the answer; a thrown `RpcFailure` is told as it is. Called in the order of the requests. */
  request(method: string, params: unknown, cancelled: AbortSignal): Promise<unknown>
  notification?(method: string, params: unknown): void
  /** What the other side is told of anything else that was thrown; its message alone when this gives nothing. */
  failure?(method: string, error: unknown): RpcFailure | undefined
  /** What is no message, or answers nothing that was asked. Without it the other side is told. */
  odd?(text: string, why: string): void
}

export interface Peer {
  /** Rejects with the refusal of the other side, when the signal fires, or when the connection ends. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  notify(method: string, params: unknown): void
  /** The same for a frame that is shared with others. */
  notifyFrame(frame: Buffer): void
  /** From now on messages of this size are taken. */
  allow(maxFrameBytes: number): void
  /** Resolves when the other side has taken enough for more to be told. */
  ready(): Promise<void>
  /** Resolves when everything so far is on its way. */
  flushed(): Promise<void>
  /** Fails everything that waits. Nothing is sent or heard any more; the streams stay open. */
  close(reason: string | Error): void
  readonly isClosed: boolean
  /** Why it was closed. */
  readonly ended: Promise<Error>
}

export type PeerLimits = {
  /** The size of one message that comes in. */
  readonly maxFrameBytes?: number
  /** Told and not read: beyond it the other side is given up. */
  readonly maxBacklogBytes?: number
  /** The size of one answer, and of all that wait besides what is told. */
  readonly maxAnswerBytes?: number
  /** Requests that are served at the same time. More wait. */
  readonly maxRequests?: number
  /** How long what was asked may take when the other side says no more. Without it nothing more is answered then. */
  readonly lastAnswersMs?: number
}

const MIB = 1024 * 1024
const ODD_CHARS = 500
const INPUT_ENDED = 'The input ended.'
const UNASKED = 'an answer to nothing that was asked'

export function openPeer(
  { input, output }: Streams,
  framing: Framing,
  handlers: Handlers,
  limits: PeerLimits = {},
): Peer {
  const { maxBacklogBytes = 64 * MIB, maxAnswerBytes = 256 * MIB, maxRequests = 1000 } = limits
  const { lastAnswersMs = 0 } = limits
  const reader = framing.openReader(limits.maxFrameBytes ?? 64 * MIB)
  const outbox = openOutbox(output, { maxBacklogBytes, maxAnswerBytes, onTooSlow })
  const calls = openCalls()
  const serving = openServing(maxRequests, refuseWith)
  const ended = deferred<Error>()
  let isClosed = false
  let isEnding = false

  input.on('data', take)
  input.on('error', (error) => close(error.message))
  input.on('end', () => void answerLast())
  input.on('close', () => isEnding || close('The input was closed.'))
  output.on('error', (error) => close(error.message))
  output.on('close', () => close('The output was closed.'))

  const encode = (message: object) => framing.encode({ jsonrpc: '2.0', ...message })
  const wrap = (id: Id, { parts }: JsonText) => {
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`)
    return framing.wrap([head, ...parts, Buffer.from('}')])
  }
  const send = (message: object) => {
    if (!isClosed) outbox.answer(encode(message))
  }
  const refuse = (id: Id | null, code: number, message: string) =>
    refuseWith(id, new RpcFailure(code, message))

  function refuseWith(id: Id | null, { code, message, data }: RpcFailure): void {
    send({ id, error: { code, message, ...defined({ data }) } })
  }

  function take(chunk: Buffer): void {
    try {
      for (const text of reader.push(chunk)) if (!isClosed) takeMessage(text)
    } catch (error) {
      if (!(error instanceof BrokenFrame)) throw error
      if (handlers.odd === undefined) refuse(null, rpcCodes.parse, error.message)
      close(error)
    }
  }

  function takeMessage(text: string): void {
    const odd = (why: string, code: number, message: string, id: Id | null = null) => {
      if (handlers.odd === undefined) refuse(id, code, message)
      else handlers.odd(text.slice(0, ODD_CHARS), why)
    }
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      // Answered with an error of the protocol.
      return odd('not JSON', rpcCodes.parse, 'The message is not JSON.')
    }
    if (!isFields(message))
      return odd('not an object', rpcCodes.invalidRequest, 'A message is one JSON object.')
    const { id, method, params } = message
    if (method === undefined && ('result' in message || 'error' in message)) {
      if (!calls.settle(message)) handlers.odd?.(text.slice(0, ODD_CHARS), UNASKED)
    } else if (typeof method !== 'string') {
      odd('no method', rpcCodes.invalidRequest, 'The method is missing.', isId(id) ? id : null)
    } else if (id === undefined) hear(method, params)
    else if (isId(id)) serving.admit(id, (cancelled) => serve(id, method, params, cancelled))
    else refuse(null, rpcCodes.invalidRequest, 'An id is a string or a number.')
  }

  function hear(method: string, params: unknown): void {
    const { cancel } = framing
    if (method !== cancel.method) return handlers.notification?.(method, params)
    const id = fieldsOf(params)[cancel.field]
    if (isId(id)) serving.cancel(id)
  }

  async function serve(id: Id, method: string, params: unknown, cancelled: AbortSignal) {
    try {
      cancelled.throwIfAborted()
      const result = (await handlers.request(method, params, cancelled)) ?? null
      const frame = result instanceof JsonText ? wrap(id, result) : encode({ id, result })
      if (frame.length > maxAnswerBytes) throw new AnswerTooLarge(frame.length, maxAnswerBytes)
      if (!isClosed) outbox.answer(frame)
    } catch (error) {
      if (cancelled.aborted)
        return refuse(id, rpcCodes.cancelled, `Request ${method} was cancelled.`)
      refuseWith(id, asFailure(handlers.failure?.(method, error) ?? error))
    }
  }

  /** The other side says no more. It may still hear: `printf … | reprise acp` does. */
  async function answerLast(): Promise<void> {
    // What waits for a word from there waits in vain.
    isEnding = lastAnswersMs > 0 && !calls.isWaiting && !isClosed
    if (isEnding) await serving.finish(lastAnswersMs, ended.promise)
    close(INPUT_ENDED)
  }

  function onTooSlow(): void {
    output.destroy()
    close('The other side does not read.')
  }

  function close(given: string | Error): void {
    if (isClosed) return
    isClosed = true
    outbox.end()
    input.off('data', take)
    input.resume() // a full pipe would keep the other side from ending
    const reason = typeof given === 'string' ? new ConnectionClosed(given) : given
    calls.fail(reason)
    serving.end()
    ended.resolve(reason)
  }

  return {
    async request(method, params, signal) {
      if (isEnding) close(INPUT_ENDED)
      if (isClosed) throw new ConnectionClosed('The connection is closed.')
      const { cancel } = framing
      return calls.ask(
        (id) => send({ id, method, params }),
        (id) => send({ method: cancel.method, params: { [cancel.field]: id } }),
        signal,
      )
    },
    notify(method, params) {
      if (!isClosed) outbox.tell(encode({ method, params }))
    },
    notifyFrame(frame) {
      if (!isClosed) outbox.tell(frame)
    },
    allow(maxFrameBytes) {
      reader.maxBytes = maxFrameBytes
    },
    ready: async () => (isClosed ? undefined : outbox.ready()),
    flushed: outbox.flushed,
    close,
    get isClosed() {
      return isClosed
    },
    ended: ended.promise,
  }
}

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number'

const asFailure = (error: unknown): RpcFailure =>
  error instanceof RpcFailure ? error : new RpcFailure(rpcCodes.internal, errorText(error))

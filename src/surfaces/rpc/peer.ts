/**
 * JSON-RPC over one pair of streams, both ways: requests of the client are handled as they come, and the client can
 * be asked in turn. Whatever comes in, every request gets exactly one answer and nothing else does.
 */
import type { Readable, Writable } from 'node:stream'
import { CANCELLED, INVALID_REQUEST, PARSE_ERROR, RpcFailure, toWire } from './failure.ts'
import type { WireFailure } from './failure.ts'
import { BrokenFrame, createFrameReader, encodeFrame } from './frames.ts'
import type { Limits } from './limits.ts'
import { openOutbox } from './outbox.ts'

/** The connection is over, and with it whatever the client was asked. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
  readonly code = 'ENOTCONN'
}

export type Handle = (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>

export interface Peer {
  /** Asks the client. Rejects when it refuses, when it goes, and when the signal fires. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  notify(method: string, params: unknown): void
  /** The same for a frame that is shared with others. */
  notifyFrame(frame: Buffer): void
  /** From now on frames of this size are taken. */
  allow(maxFrameBytes: number): void
  /** Resolves when everything that was answered so far is on its way. */
  flushed(): Promise<void>
  end(why?: string): void
  /** Why the connection ended. */
  readonly ended: Promise<string>
}

type Id = string | number

export function openPeer(
  streams: { readonly input: Readable; readonly output: Writable },
  handle: Handle,
  limits: Limits,
): Peer {
  const { input, output } = streams
  const reader = createFrameReader(limits.maxFrameBytes)
  const outbox = openOutbox(output, {
    maxBacklog: limits.maxBacklogBytes,
    onTooSlow: () => end('the client does not read what it is told'),
  })
  const asked = new Map<string, PromiseWithResolvers<unknown>>()
  const running = new Map<Id, AbortController>()
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<string>()
  let isOpen = true
  let count = 0

  const send = (message: object) => {
    if (isOpen) outbox.answer(encodeFrame(message))
  }
  const refuse = (id: Id | null, error: WireFailure) => send({ jsonrpc: '2.0', id, error })

  function end(why = 'the connection was closed'): void {
    if (!isOpen) return
    isOpen = false
    for (const { reject } of asked.values()) reject(new ClientGone(why))
    asked.clear()
    for (const controller of running.values()) controller.abort()
    input.destroy()
    output.destroy()
    onEnd(why)
  }

  function take(body: Buffer): void {
    let message: unknown
    try {
      message = JSON.parse(body.toString('utf8'))
    } catch {
      return refuse(null, { code: PARSE_ERROR, message: 'The message is not JSON.' })
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return refuse(null, { code: INVALID_REQUEST, message: 'A message is one JSON object.' })
    const { id, method, params } = message as Readonly<Record<string, unknown>>
    if (typeof method !== 'string') return settle(message as Readonly<Record<string, unknown>>)
    if (id === undefined) return hear(method, params)
    if (typeof id !== 'string' && typeof id !== 'number')
      return refuse(null, { code: INVALID_REQUEST, message: 'An id is a string or a number.' })
    void answer(id, method, params)
  }

  async function answer(id: Id, method: string, params: unknown): Promise<void> {
    if (running.has(id))
      return refuse(id, { code: INVALID_REQUEST, message: 'This id is in use by another request.' })
    const controller = new AbortController()
    running.set(id, controller)
    if (running.size >= limits.maxRequests) input.pause()
    try {
      const result = (await handle(method, params, controller.signal)) ?? null
      const frame = encodeFrame({ jsonrpc: '2.0', id, result })
      if (frame.length > limits.maxAnswerBytes) throw tooLarge(method, frame.length, limits)
      if (isOpen) outbox.answer(frame)
    } catch (error) {
      refuse(id, controller.signal.aborted && isOpen ? cancelled(method) : toWire(method, error))
    } finally {
      running.delete(id)
      if (isOpen && running.size < limits.maxRequests) input.resume()
    }
  }

  /** The only notification of a client that means something: it no longer waits for an answer. */
  function hear(method: string, params: unknown): void {
    if (method !== '$/cancelRequest') return
    const { id } = (params ?? {}) as { id?: unknown }
    if (typeof id === 'string' || typeof id === 'number') running.get(id)?.abort()
  }

  function settle({ id, result, error }: Readonly<Record<string, unknown>>): void {
    const waiting = typeof id === 'string' ? asked.get(id) : undefined
    if (waiting === undefined) return
    asked.delete(id as string)
    if (error === undefined || error === null) return waiting.resolve(result)
    const { message } = error as { message?: unknown }
    waiting.reject(new Error(typeof message === 'string' ? message : 'The client refused.'))
  }

  input.on('data', (chunk: Buffer) => {
    try {
      for (const body of reader.push(chunk)) if (isOpen) take(body)
    } catch (error) {
      const message = error instanceof BrokenFrame ? error.message : 'The connection is broken.'
      refuse(null, { code: PARSE_ERROR, message })
      void outbox.flushed().then(() => end(message))
    }
  })
  input.on('end', () => void outbox.flushed().then(() => end('the client has gone')))
  input.on('error', () => end('the client has gone'))
  output.on('error', () => end('the client has gone'))
  output.on('close', () => end('the client has gone'))

  return {
    request(method, params, signal) {
      if (!isOpen) return Promise.reject(new ClientGone('the client has gone'))
      if (signal?.aborted === true) return Promise.reject(new Error('Not asked: cancelled.'))
      const id = `s${++count}`
      const waiting = Promise.withResolvers<unknown>()
      asked.set(id, waiting)
      send({ jsonrpc: '2.0', id, method, params })
      signal?.addEventListener('abort', () => {
        if (!asked.delete(id)) return
        waiting.reject(new Error('Cancelled.'))
        send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } })
      })
      return waiting.promise
    },
    notify: (method, params) => {
      if (isOpen) outbox.tell(encodeFrame({ jsonrpc: '2.0', method, params }))
    },
    notifyFrame: (frame) => {
      if (isOpen) outbox.tell(frame)
    },
    allow: (maxFrameBytes) => {
      reader.maxBytes = maxFrameBytes
    },
    flushed: () => outbox.flushed(),
    end,
    ended,
  }
}

const cancelled = (method: string): WireFailure => ({
  code: CANCELLED,
  message: `Request ${method} was cancelled.`,
})

const tooLarge = (method: string, bytes: number, { maxAnswerBytes }: Limits) =>
  new RpcFailure(
    -32603,
    `Request ${method} failed with message: the answer has ${bytes} bytes, and ${maxAnswerBytes} are allowed. Read it in pages with session.eventLog.read.`,
    { code: 'invalid', bytes },
  )

/**
 * JSON-RPC 2.0 over lines of JSON, both ways. Everything is passed on as it came and in the order in which it came;
 * a line that is no message is told and skipped. When the other side goes, every open request fails with the reason.
 */
import type { Readable, Writable } from 'node:stream'
import { isRaw, rawOf, textIn } from './raw.ts'
import type { Raw } from './raw.ts'

export interface Connection {
  request(method: string, params: Raw): Promise<unknown>
  notify(method: string, params: Raw): void
  /** Fails everything that waits. Nothing is sent or heard any more. */
  close(reason: Error): void
  readonly isClosed: boolean
}

export interface Listener {
  /** Its result is the answer. A thrown `RpcError` is told with its code, anything else as an internal error. */
  request(method: string, params: Raw, cancelled: AbortSignal): Promise<unknown>
  notification(method: string, params: Raw): void
  /** A line that is no JSON-RPC message. */
  oddLine(line: string, why: string): void
  closed(reason: Error): void
}

export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL = -32603
export const CANCELLED = -32800
export const AUTH_REQUIRED = -32000
/** In the range that is left to implementations: what was asked for is not allowed here. */
export const NOT_ALLOWED = -32001

const MAX_FRAME_BYTES = 64 * 1024 * 1024
const ODD_CHARS = 500

export function connect(
  streams: { readonly input: Readable; readonly output: Writable },
  listener: Listener,
  { maxFrameBytes = MAX_FRAME_BYTES }: { readonly maxFrameBytes?: number } = {},
): Connection {
  const waiting = new Map<unknown, PromiseWithResolvers<unknown>>()
  const serving = new Map<unknown, AbortController>()
  let isClosed = false
  let lastId = 0
  let parts: Buffer[] = []
  let held = 0

  streams.input.on('data', take)
  streams.input.on('error', close)
  streams.input.on('end', () => close(new Error('It closed its output.')))
  streams.output.on('error', () => {}) // its end is told by the process

  /** Splits on the newline byte alone: other line separators may stand inside a message. */
  function take(chunk: Buffer): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(0x0a, start)
      const piece = chunk.subarray(start, end === -1 ? undefined : end)
      held += piece.length
      if (held > maxFrameBytes) {
        // It may have been the answer that somebody waits for, so nothing can go on.
        return close(new Error(`It sent a message of more than ${maxFrameBytes} bytes.`))
      }
      parts.push(piece)
      if (end === -1) return
      const line = Buffer.concat(parts).toString('utf8')
      parts = []
      held = 0
      if (line.trim() !== '') takeLine(line)
      if (isClosed) return
      start = end + 1
    }
  }

  function takeLine(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return listener.oddLine(line.slice(0, ODD_CHARS), 'not JSON')
    }
    if (!isRaw(message)) return listener.oddLine(line.slice(0, ODD_CHARS), 'not an object')
    const method = textIn(message, 'method')
    const params = rawOf(message['params'])
    if (method === undefined) return takeAnswer(message, line)
    if (message['id'] !== undefined) return void serve(message['id'], method, params)
    if (method === '$/cancel_request') return serving.get(params['requestId'])?.abort()
    listener.notification(method, params)
  }

  function takeAnswer(message: Raw, line: string): void {
    const answer = waiting.get(message['id'])
    if (answer === undefined) {
      return listener.oddLine(line.slice(0, ODD_CHARS), 'an answer to nothing that was asked')
    }
    waiting.delete(message['id'])
    if (message['error'] === undefined) return answer.resolve(message['result'])
    const error = rawOf(message['error'])
    const code = typeof error['code'] === 'number' ? error['code'] : INTERNAL
    answer.reject(new RpcError(code, textIn(error, 'message') ?? 'No reason given.', error['data']))
  }

  async function serve(id: unknown, method: string, params: Raw): Promise<void> {
    const controller = new AbortController()
    serving.set(id, controller)
    try {
      const result = await listener.request(method, params, controller.signal)
      write({ id, result: result ?? null })
    } catch (error) {
      const { code, message, data } = asRpcError(error)
      write({ id, error: { code, message, ...(data !== undefined && { data }) } })
    } finally {
      serving.delete(id)
    }
  }

  function write(message: Raw): void {
    if (!isClosed) streams.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  function close(reason: Error): void {
    if (isClosed) return
    isClosed = true
    parts = []
    streams.input.off('data', take)
    streams.input.resume() // a full pipe would keep the other side from ending
    for (const { reject } of waiting.values()) reject(reason)
    for (const controller of serving.values()) controller.abort()
    waiting.clear()
    listener.closed(reason)
  }

  return {
    request(method, params) {
      if (isClosed) return Promise.reject(new Error('The connection is closed.'))
      const id = ++lastId
      const answer = Promise.withResolvers<unknown>()
      waiting.set(id, answer)
      write({ id, method, params })
      return answer.promise
    },
    notify: (method, params) => write({ method, params }),
    close,
    get isClosed() {
      return isClosed
    },
  }
}

function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  return new RpcError(INTERNAL, error instanceof Error ? error.message : String(error))
}

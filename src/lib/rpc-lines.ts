/**
 * JSON-RPC 2.0 over lines of JSON, both ways, in the order in which it comes. Every request gets exactly one answer,
 * whatever it was; a line that is no message gets an error, or is told to whoever wants to know, and harms nobody.
 * Whoever reads too slowly is cut off before memory runs out.
 */
import type { Readable, Writable } from 'node:stream'
import { defined } from './defined.ts'
import { errorText } from './error-text.ts'

export type Fields = Readonly<Record<string, unknown>>

export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
} as const

export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export interface LineHandlers {
  /** Its result is the answer; a thrown `RpcFailure` is told with its code. */
  request(method: string, params: unknown, cancelled: AbortSignal): Promise<unknown>
  notification(method: string, params: unknown): void
  /** A line that is no message, or answers nothing that was asked. Without it the other side is told. */
  oddLine?(line: string, why: string): void
  /** Called once. */
  closed(reason: string): void
}

export interface LinePeer {
  /** Rejects with the other side's error, when the signal fires, or when the connection ends. */
  request(method: string, params: Fields, signal?: AbortSignal): Promise<unknown>
  notify(method: string, params: Fields): void
  /** Resolves when the other side has taken enough for more to be sent. */
  ready(): Promise<void>
  /** Fails everything that waits. Nothing is sent or heard any more. */
  close(reason: string | Error): void
  readonly isClosed: boolean
}

export type LineLimits = {
  /** Of one message that comes in. */
  readonly maxLineBytes?: number
  /** Waiting to be read by the other side. */
  readonly maxUnreadBytes?: number
  /** Requests that are served at the same time. */
  readonly maxServing?: number
}

const MIB = 1024 * 1024
const TOGETHER = 64 * 1024
const ODD_CHARS = 500
const UNASKED = 'an answer to nothing that was asked'

export function serveLines(
  streams: { readonly input: Readable; readonly output: Writable },
  handlers: LineHandlers,
  { maxLineBytes = 64 * MIB, maxUnreadBytes = 64 * MIB, maxServing = 1000 }: LineLimits = {},
): LinePeer {
  const { input, output } = streams
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const serving = new Map<unknown, AbortController>()
  const drained = new Set<() => void>()
  let isClosed = false
  let lastId = 0
  let parts: Buffer[] = []
  let held = 0
  let unsent = ''
  let flushing: NodeJS.Immediate | undefined

  input.on('data', take)
  input.on('error', (error) => close(error.message))
  input.on('end', () => close('The input ended.'))
  input.on('close', () => close('The input was closed.'))
  output.on('error', (error) => close(error.message))
  output.on('drain', release)

  function release(): void {
    for (const go of drained) go()
    drained.clear()
  }

  /** Splits on the newline byte alone: other line separators may stand inside a message. */
  function take(chunk: Buffer): void {
    for (let start = 0; !isClosed;) {
      const end = chunk.indexOf(0x0a, start)
      const piece = chunk.subarray(start, end === -1 ? undefined : end)
      held += piece.length
      if (held > maxLineBytes) return close(`A message has more than ${maxLineBytes} bytes.`)
      parts.push(piece)
      if (end === -1) return
      const line = Buffer.concat(parts).toString('utf8')
      parts = []
      held = 0
      start = end + 1
      if (line.trim() !== '') takeLine(line)
    }
  }

  function takeLine(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return odd(line, 'not JSON', rpcCodes.parse, 'This is not JSON.')
    }
    if (!isFields(message))
      return odd(line, 'not an object', rpcCodes.invalidRequest, 'This is not a message.')
    const { id, method, params } = message
    if (method === undefined && ('result' in message || 'error' in message)) {
      if (!settle(message)) handlers.oddLine?.(line.slice(0, ODD_CHARS), UNASKED)
      return
    }
    if (typeof method !== 'string') {
      const known = isId(id) ? id : null
      return odd(line, 'no method', rpcCodes.invalidRequest, 'The method is missing.', known)
    }
    if (id === undefined) return hear(method, params)
    if (!isId(id)) return fail(null, rpcCodes.invalidRequest, 'The id is no id.')
    if (serving.has(id)) return fail(id, rpcCodes.invalidRequest, 'The id is in use.')
    if (serving.size >= maxServing) {
      return fail(id, rpcCodes.internal, `${maxServing} requests are being served already.`)
    }
    void serve(id, method, params)
  }

  function hear(method: string, params: unknown): void {
    if (method === '$/cancel_request') {
      if (isFields(params)) serving.get(params['requestId'])?.abort()
    } else handlers.notification(method, params)
  }

  function odd(
    line: string,
    why: string,
    code: number,
    message: string,
    id: string | number | null = null,
  ): void {
    if (handlers.oddLine === undefined) return fail(id, code, message)
    handlers.oddLine(line.slice(0, ODD_CHARS), why)
  }

  /** False when nobody asked. */
  function settle({ id, result, error }: Fields): boolean {
    const answer = typeof id === 'number' ? waiting.get(id) : undefined
    if (answer === undefined || typeof id !== 'number') return false
    waiting.delete(id)
    if (error === undefined) {
      answer.resolve(result)
      return true
    }
    const { code, message, data } = isFields(error) ? error : {}
    answer.reject(
      new RpcFailure(
        typeof code === 'number' ? code : rpcCodes.internal,
        typeof message === 'string' ? message : 'No reason was given.',
        data,
      ),
    )
    return true
  }

  async function serve(id: string | number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController()
    serving.set(id, controller)
    try {
      const result = await handlers.request(method, params, controller.signal)
      write({ id, result: result ?? null })
    } catch (error) {
      const { code, message, data } = asFailure(error)
      fail(id, code, message, data)
    } finally {
      serving.delete(id)
    }
  }

  const fail = (id: string | number | null, code: number, message: string, data?: unknown) =>
    write({ id, error: { code, message, ...defined({ data }) } })

  /** Lines of the same moment go out together: a system call each would take longer than making them. */
  function write(message: Fields): void {
    if (isClosed) return
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
    unsent += line
    if (unsent.length >= TOGETHER) flush()
    else flushing ??= setImmediate(flush)
    if (output.writableLength > maxUnreadBytes) close('The other side does not read.')
  }

  function flush(): void {
    clearImmediate(flushing)
    flushing = undefined
    if (unsent !== '') output.write(unsent)
    unsent = ''
  }

  function close(given: string | Error): void {
    if (isClosed) return
    flush()
    isClosed = true
    parts = []
    input.off('data', take)
    input.resume() // a full pipe would keep the other side from ending
    const reason = given instanceof Error ? given : new Error(given)
    for (const { reject } of waiting.values()) reject(reason)
    for (const controller of serving.values()) controller.abort()
    waiting.clear()
    release()
    handlers.closed(reason.message)
  }

  return {
    async request(method, params, signal) {
      if (isClosed) throw new Error('The connection is closed.')
      lastId += 1
      const id = lastId
      const answer = Promise.withResolvers<unknown>()
      waiting.set(id, answer)
      write({ id, method, params })
      const giveUp = () => {
        if (!waiting.delete(id)) return
        write({ method: '$/cancel_request', params: { requestId: id } })
        answer.reject(new RpcFailure(rpcCodes.cancelled, 'The request was taken back.'))
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      if (signal?.aborted === true) giveUp()
      try {
        return await answer.promise
      } finally {
        signal?.removeEventListener('abort', giveUp)
      }
    },
    notify: (method, params) => write({ method, params }),
    async ready() {
      if (isClosed || !output.writableNeedDrain) return
      await new Promise<void>((resolve) => drained.add(resolve))
    },
    close,
    get isClosed() {
      return isClosed
    },
  }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

function asFailure(error: unknown): RpcFailure {
  if (error instanceof RpcFailure) return error
  return new RpcFailure(rpcCodes.internal, errorText(error))
}

/** What went wrong, as JSON-RPC tells it. A fault of ours never looks like one of the client. */
import { EngineError } from '../../engine/errors.ts'
import type { ErrorCode } from '../../engine/errors.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const FAILED = -32603
export const CANCELLED = -32800
export const AUTHENTICATION_REQUIRED = -32001
export const AUTHENTICATION_FAILED = -32002

/** An answer that is chosen, not a fault. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly code: number
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message)
    this.code = code
    this.data = data
  }
}

export type WireFailure = {
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** The engine's codes for which nobody is to blame but the client's wish; `internal` is ours. */
const isTold: Record<ErrorCode, boolean> = {
  not_found: true,
  ambiguous: true,
  invalid: true,
  in_use: true,
  unreachable: true,
  waits: true,
  busy: true,
  conflict: true,
  expired: true,
  corrupt: true,
  legacy: true,
  not_durable: true,
  cancelled: true,
  internal: false,
}

export function toWire(method: string, error: unknown): WireFailure {
  if (error instanceof RpcFailure) {
    const { code, message, data } = error
    return { code, message, ...defined({ data }) }
  }
  const text = errorText(error)
  const message = `Request ${method} failed with message: ${text}`
  if (error instanceof EngineError)
    return { code: FAILED, message, data: { ...error.details, code: error.code } }
  return { code: FAILED, message, data: { code: 'internal' } }
}

/** Worth a line in the server's own log. */
export const isFault = (error: unknown): boolean =>
  !(error instanceof RpcFailure) && !(error instanceof EngineError && isTold[error.code])

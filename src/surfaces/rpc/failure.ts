/** What went wrong, as JSON-RPC tells it. A fault of ours never looks like one of the client. */
import { EngineError, type ErrorCode } from '../../engine/errors.ts'
import { errorText } from '../../lib/error-text.ts'
import { AnswerTooLarge, RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'

export const AUTHENTICATION_REQUIRED = -32001
export const AUTHENTICATION_FAILED = -32002

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

export function asRpcFailure(method: string, error: unknown): RpcFailure {
  if (error instanceof RpcFailure) return error
  const told = (hint: string, data: object) =>
    new RpcFailure(
      rpcCodes.internal,
      `Request ${method} failed with message: ${errorText(error)}${hint}`,
      data,
    )
  if (error instanceof EngineError) return told('', { ...error.details, code: error.code })
  if (error instanceof AnswerTooLarge)
    return told(' Read it in pages with session.eventLog.read.', {
      code: 'invalid',
      bytes: error.bytes,
    })
  return told('', { code: 'internal' })
}

/** Worth a line in the server's own log. */
export const isFault = (error: unknown): boolean =>
  !(error instanceof RpcFailure) && !(error instanceof EngineError && isTold[error.code])

/** What is about something that is not there comes to this in place of an error. */
export async function whereFound<T, E>(work: Promise<T>, otherwise: E): Promise<T | E> {
  try {
    return await work
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not_found') return otherwise
    throw error
  }
}

export const isFound = (work: Promise<unknown>): Promise<boolean> =>
  whereFound(
    work.then(() => true),
    false,
  )

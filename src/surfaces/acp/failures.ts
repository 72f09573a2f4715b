/** What went wrong, as the protocol numbers it. A fault of ours never looks like one of the client. */
import { EngineError, type ErrorCode } from '../../engine/errors.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'

export const AUTH_REQUIRED = -32000
export const NOT_FOUND = -32002

const codes: Readonly<Record<ErrorCode, number>> = {
  not_found: NOT_FOUND,
  ambiguous: rpcCodes.invalidParams,
  invalid: rpcCodes.invalidParams,
  in_use: -32010,
  unreachable: -32014,
  waits: -32015,
  busy: -32011,
  conflict: -32012,
  expired: -32013,
  corrupt: rpcCodes.internal,
  legacy: rpcCodes.internal,
  not_durable: rpcCodes.internal,
  cancelled: rpcCodes.cancelled,
  internal: rpcCodes.internal,
}

export function asRpcFailure(_method: string, error: unknown): RpcFailure | undefined {
  if (!(error instanceof EngineError)) return undefined
  return new RpcFailure(codes[error.code], error.message, { code: error.code, ...error.details })
}

export const unknownSession = (sessionId: string): RpcFailure =>
  new RpcFailure(NOT_FOUND, `There is no session ${JSON.stringify(sessionId.slice(0, 100))}.`, {
    sessionId,
  })

/** A connection to an agent: JSON-RPC over lines, everything passed on as it came, lines that are none told and skipped. */
import type { Readable, Writable } from 'node:stream'
import { rpcCodes, serveLines } from '../../lib/rpc-lines.ts'
import { rawOf } from './raw.ts'
import type { Raw } from './raw.ts'

export interface Connection {
  request(method: string, params: Raw): Promise<unknown>
  notify(method: string, params: Raw): void
  /** Fails everything that waits. Nothing is sent or heard any more. */
  close(reason: Error): void
  readonly isClosed: boolean
}

export interface Listener {
  /** Its result is the answer. A thrown `RpcFailure` is told with its code, anything else as an internal error. */
  request(method: string, params: Raw, cancelled: AbortSignal): Promise<unknown>
  notification(method: string, params: Raw): void
  /** A line that is no JSON-RPC message. */
  oddLine(line: string, why: string): void
  closed(reason: string): void
}

export const METHOD_NOT_FOUND = rpcCodes.unknownMethod
export const INVALID_PARAMS = rpcCodes.invalidParams
export const INTERNAL = rpcCodes.internal
export const CANCELLED = rpcCodes.cancelled
export const AUTH_REQUIRED = -32000
/** In the range that is left to implementations: what was asked for is not allowed here. */
export const NOT_ALLOWED = -32001

export function connect(
  streams: { readonly input: Readable; readonly output: Writable },
  listener: Listener,
  { maxFrameBytes }: { readonly maxFrameBytes?: number } = {},
): Connection {
  return serveLines(
    streams,
    {
      request: (method, params, cancelled) => listener.request(method, rawOf(params), cancelled),
      notification: (method, params) => listener.notification(method, rawOf(params)),
      oddLine: listener.oddLine,
      closed: listener.closed,
    },
    maxFrameBytes === undefined ? {} : { maxLineBytes: maxFrameBytes },
  )
}

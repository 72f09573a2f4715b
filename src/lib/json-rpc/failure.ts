/** What a request is refused with, and the codes that every protocol over JSON-RPC shares. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
} as const

/** A refusal that is chosen, and told as it is. */
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

/** The connection is over, and with it everything that was asked on it. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
  readonly code = 'ENOTCONN'
}

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  readonly bytes: number

  constructor(bytes: number, allowed: number) {
    super(`the answer has ${bytes} bytes, and ${allowed} are allowed.`)
    this.bytes = bytes
  }
}

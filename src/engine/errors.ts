/** What can go wrong, as one closed list. Each surface has one table from code to its own kind of answer. */
export type ErrorCode =
  | 'not_found'
  | 'ambiguous'
  | 'invalid'
  | 'in_use'
  /** The process or machine of the session could not be asked. Nothing was changed. */
  | 'unreachable'
  /** Accepted, and done when the machine of the session is back. */
  | 'waits'
  | 'busy'
  | 'conflict'
  | 'expired'
  | 'corrupt'
  | 'legacy'
  | 'not_durable'
  | 'cancelled'
  | 'internal'

/** Thrown by an agent that could not begin: nothing of the message reached anybody. */
export class Unsent extends Error {
  override readonly name = 'Unsent'
}

export const isUnsent = (error: unknown): boolean =>
  error instanceof Unsent || (error instanceof Error && error.cause instanceof Unsent)

/** The message says what happened, what was left untouched and what to do next. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: ErrorCode
  /** For programs: ids, holders, candidates. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }
}

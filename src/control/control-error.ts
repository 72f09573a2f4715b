/** What Mission Control refuses, as one closed list, and what HTTP says to each. */
export type ControlErrorCode =
  | 'not_found'
  | 'invalid'
  | 'conflict'
  | 'gone'
  | 'unauthorized'
  | 'forbidden'
  | 'too_large'
  | 'too_slow'
  | 'in_use'
  | 'pending'
  | 'slow_down'
  | 'expired'
  | 'unavailable'

export const statuses: Record<ControlErrorCode, number> = {
  not_found: 404,
  invalid: 400,
  conflict: 409,
  gone: 410,
  unauthorized: 401,
  forbidden: 403,
  too_large: 413,
  too_slow: 408,
  in_use: 409,
  pending: 428,
  slow_down: 429,
  expired: 410,
  unavailable: 503,
}

/** The message says what happened, what was left untouched and what to do next. It never holds content or a secret. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ControlErrorCode

  constructor(code: ControlErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

export const noDatabase = (place: string): ControlError =>
  new ControlError(
    'not_found',
    `There is no Mission Control in ${place}. Nothing was made; "reprise control serve" makes one.`,
  )

/** As both engines say it: SQLITE_FULL, and disk_full of PostgreSQL. */
const FULL: readonly unknown[] = [13, '53100']

export function isFull(cause: unknown): boolean {
  const { errcode, code } = (cause ?? {}) as { readonly errcode?: unknown; readonly code?: unknown }
  return [errcode, code].some((each) => FULL.includes(each))
}

/** What cannot be done now, in words: of a failure that no part of the server knows. */
export function unavailable(cause: unknown): ControlError {
  const what = isFull(cause)
    ? 'The disk of the database is full.'
    : 'The database cannot be used now.'
  return new ControlError('unavailable', `${what} Nothing was acknowledged; try again.`, { cause })
}

/** What went wrong, as HTTP tells it: one shape for all, and one table from code to status. */
import { BadPeriod } from '../../store/reports/since.ts'
import { BadConfig } from '../../config/config-file.ts'
import { EngineError } from '../../engine/errors.ts'
import { BadEntry } from '../../store/board-rules.ts'
import { BoardBusy } from '../../store/board.ts'
import { StoreUnavailable } from '../../store/connection.ts'
import { BadQuery } from '../../store/query.ts'
import { QueryError } from '../../store/query/query.ts'
import type { ApiErrorCode, ErrorAnswer } from './api.ts'

export const statuses: Record<ApiErrorCode, number> = {
  not_found: 404,
  ambiguous: 409,
  invalid: 400,
  in_use: 409,
  unreachable: 503,
  waits: 202,
  busy: 409,
  conflict: 409,
  expired: 410,
  corrupt: 422,
  legacy: 422,
  not_durable: 507,
  cancelled: 409,
  internal: 500,
  unauthorized: 401,
  forbidden: 403,
  too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  unavailable: 503,
}

type Details = Readonly<Record<string, unknown>>

/** An answer that is chosen, not a fault. */
export class WebFailure extends Error {
  override readonly name = 'WebFailure'
  readonly code: ApiErrorCode
  readonly details: Details

  constructor(code: ApiErrorCode, message: string, details: Details = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

const INVALID = [BadQuery, BadPeriod, BadConfig, BadEntry] as const

/** What is not known to be meant for the client stays here: its words may name files or hold secrets. */
export function toFailure(error: unknown): WebFailure {
  if (error instanceof WebFailure) return error
  if (error instanceof EngineError) return new WebFailure(error.code, error.message, error.details)
  if (INVALID.some((kind) => error instanceof kind))
    return new WebFailure('invalid', (error as Error).message)
  if (error instanceof BoardBusy) return new WebFailure('busy', error.message)
  if (error instanceof StoreUnavailable) return new WebFailure('unavailable', error.message)
  if (error instanceof QueryError) {
    const code = error.code === 'unavailable' ? 'unavailable' : 'invalid'
    return new WebFailure(code, error.message, { reason: error.code, ...error.details })
  }
  return new WebFailure(
    'internal',
    'Something went wrong in the server: what it printed in its terminal says what. Try again; if it stays so, start it anew.',
  )
}

export const answerOf = ({ code, message, details }: WebFailure): ErrorAnswer => ({
  error: { code, message, details },
})

/** What can be asked in SQL, what comes back, and in which ways it can fail. */

export type SqlValue = null | number | bigint | string | Uint8Array

export type QueryParams = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

type QueryLimits = {
  readonly deadlineMs?: number
  readonly maxRows?: number
  /** The size of the names and values that come back. */
  readonly maxBytes?: number
  /** What a query may use beyond the worker itself. */
  readonly memoryMb?: number
}

export type Query = QueryLimits & {
  readonly sql: string
  readonly params?: QueryParams
  /** Only what belongs to this repository; see `scope.ts`. */
  readonly scope?: { readonly repository: string }
  readonly signal?: AbortSignal
}

export type QueryResult = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
  /** There is more than what came back. */
  readonly truncated: boolean
  readonly elapsedMs: number
  /** Rows that a statement changed; only where writing is allowed. */
  readonly changes?: number
}

export const DEFAULT_LIMITS = {
  deadlineMs: 2000,
  maxRows: 500,
  maxBytes: 256 * 1024,
  memoryMb: 128,
} as const

/** The size of a statement, and of its parameters together. */
export const MAX_SQL_BYTES = 256 * 1024
export const MAX_PARAM_BYTES = 1024 * 1024

export type QueryErrorCode =
  /** The statement is wrong, or failed on the data that it met. */
  | 'syntax'
  /** It wants more than reading what it may read; `details.what` names it. */
  | 'refused'
  | 'deadline'
  /** It needs more memory, or gives back more, than there is room for. */
  | 'too_large'
  /** There is no database, or it cannot be read now. */
  | 'unavailable'

export class QueryError extends Error {
  override readonly name = 'QueryError'
  readonly code: QueryErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: QueryErrorCode,
    message: string,
    options: { cause?: unknown; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }
}

export function bytesOf(value: SqlValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.length : 8
}

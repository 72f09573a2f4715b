/** What goes between the process that asks and the worker that runs the SQL. */
import type { QueryErrorCode, QueryParams, SqlValue } from './query.ts'

export type Job = {
  /** As the system writes it. */
  readonly path: string
  readonly sql: string
  readonly params: QueryParams
  readonly deadlineMs: number
  readonly maxRows: number
  readonly maxBytes: number
  readonly memoryMb: number
  readonly access: Access
}

export type Access =
  /** The session store: read, by one repository or whole. */
  | { readonly kind: 'store'; readonly repository?: string }
  /** A session's own database. */
  | { readonly kind: 'session'; readonly write: boolean; readonly maxFileBytes: number }

export type Outcome =
  | {
      readonly kind: 'done'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly SqlValue[])[]
      readonly truncated: boolean
      readonly changes?: number
    }
  | {
      readonly kind: 'failed'
      readonly code: QueryErrorCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }

export type Reply =
  | { readonly kind: 'ready' }
  /** Said before anything is done: a worker that ends without it has done nothing. */
  | { readonly kind: 'begun' }
  /** `isWorn` asks for another worker in its place: memory that SQLite took does not all come back. */
  | { readonly kind: 'answer'; readonly outcome: Outcome; readonly isWorn: boolean }

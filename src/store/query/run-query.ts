/**
 * Runs one SQL statement over the session store, in a process of its own. It can only read, it ends at its deadline
 * whatever it does, and it gives back no more than asked for.
 */
import type { Access, Job } from './job.ts'
import { createPool, type Pool } from './pool.ts'
import {
  bytesOf,
  DEFAULT_LIMITS,
  MAX_PARAM_BYTES,
  MAX_SQL_BYTES,
  QueryError,
  type Query,
  type QueryParams,
  type QueryResult,
  type SqlValue,
} from './query.ts'

/** `path` is the session store's file, as the system writes it. Throws `QueryError`. */
export async function runQuery(
  path: string,
  query: Query,
  pool = sharedPool(),
): Promise<QueryResult> {
  const { scope } = query
  if (scope?.repository.includes('\0')) throw refusedNul('The name of the repository')
  const access: Access =
    scope === undefined ? { kind: 'store' } : { kind: 'store', repository: scope.repository }
  return await runJob(path, query, access, pool)
}

export async function runJob(
  path: string,
  query: Omit<Query, 'scope'>,
  access: Access,
  pool = sharedPool(),
): Promise<QueryResult> {
  const outcome = await pool.run(jobOf(path, query, access), query.signal)
  if (outcome.kind === 'failed') {
    const details = { ...outcome.details, elapsedMs: outcome.elapsedMs }
    throw new QueryError(outcome.code, outcome.message, { details })
  }
  const { columns, rows, truncated, changes, elapsedMs } = outcome
  return {
    columns,
    rows,
    truncated,
    elapsedMs,
    ...(access.kind === 'session' && changes !== undefined && { changes }),
  }
}

/** Made by the first query; its workers end with this process. */
export function sharedPool(): Pool {
  return (shared ??= createPool({ idle: 1 }))
}
let shared: Pool | undefined

function jobOf(path: string, query: Omit<Query, 'scope'>, access: Access): Job {
  const { sql, params = [], deadlineMs, maxRows, maxBytes, memoryMb } = query
  checkText(sql)
  checkParams(params)
  return {
    path,
    sql,
    params,
    deadlineMs: deadlineMs ?? DEFAULT_LIMITS.deadlineMs,
    maxRows: maxRows ?? DEFAULT_LIMITS.maxRows,
    maxBytes: maxBytes ?? DEFAULT_LIMITS.maxBytes,
    memoryMb: memoryMb ?? DEFAULT_LIMITS.memoryMb,
    access,
  }
}

function checkText(sql: string): void {
  if (sql.includes('\0')) throw refusedNul('The statement')
  if (Buffer.byteLength(sql) <= MAX_SQL_BYTES) return
  throw new QueryError(
    'too_large',
    `The statement has more than ${MAX_SQL_BYTES} bytes. Nothing was run. Give long values as parameters.`,
  )
}

function checkParams(params: QueryParams): void {
  const bytes = Object.values<SqlValue>(params).reduce(
    (sum: number, value) => sum + bytesOf(value),
    0,
  )
  if (bytes <= MAX_PARAM_BYTES) return
  throw new QueryError(
    'too_large',
    `The parameters have ${bytes} bytes together; ${MAX_PARAM_BYTES} are possible. Nothing was run.`,
  )
}

/** SQLite would stop reading there, and what stands behind would be neither run nor seen. */
const refusedNul = (what: string) =>
  new QueryError('refused', `${what} has a NUL character in it. Nothing was run.`, {
    details: { what: 'a NUL character' },
  })

/**
 * SQL over a session's own database: one statement, in a process of its own, within a deadline and caps, and never
 * outside of that file. Only its own session writes there; for everybody else it is read only.
 */
import type { SessionFs } from '../../fs/session-fs.ts'
import { errorText } from '../../lib/error-text.ts'
import { needsDisk, openSessionDb, SESSION_DB, TODO_TABLES } from '../../workspace/session-db.ts'
import type { Pool } from './pool.ts'
import { runOwned } from './owned-sql.ts'
import { QueryError, type Query, type QueryResult } from './query.ts'
import { runJob } from './run-query.ts'

export type SessionQuery = Omit<Query, 'scope'> & {
  /** How large the database may become. */
  readonly maxFileBytes?: number
}

const MAX_SESSION_DB_BYTES = 64 * 1024 * 1024

/** For the session itself. The database is made when there is none. Throws `QueryError`. */
export async function writeSessionSql(
  fs: SessionFs,
  dir: string,
  query: SessionQuery,
  pool?: Pool,
): Promise<QueryResult> {
  const { database } = fs
  if (database !== undefined) {
    const isThere = await database.exists().catch((cause: unknown) => {
      throw new QueryError('unavailable', errorText(cause), { cause })
    })
    if (!isThere) for (const sql of TODO_TABLES) await runOwned(database, { sql }, { write: true })
    return runOwned(database, query, { write: true })
  }
  const found = await findDatabase(fs, dir)
  if (found === 'missing') (await openSessionDb(fs, dir)).close()
  return await run(fs, dir, query, { write: true, pool })
}

/** For the readers beside the agent. Throws `QueryError`. */
export async function readSessionSql(
  fs: SessionFs,
  dir: string,
  query: SessionQuery,
  pool?: Pool,
): Promise<QueryResult> {
  if ((await fs.database?.exists()) === true && fs.database !== undefined)
    return runOwned(fs.database, query, { write: false })
  const found = fs.database === undefined ? await findDatabase(fs, dir) : 'missing'
  if (found === 'present') return await run(fs, dir, query, { write: false, pool })
  throw new QueryError(
    'unavailable',
    'This session has no database of its own: none of its tools has asked for one yet.',
  )
}

function run(
  fs: SessionFs,
  dir: string,
  { maxFileBytes = MAX_SESSION_DB_BYTES, ...query }: SessionQuery,
  { write, pool }: { readonly write: boolean; readonly pool: Pool | undefined },
): Promise<QueryResult> {
  const path = fs.nativePath(`${dir}/${SESSION_DB}`)
  return runJob(path, query, { kind: 'session', write, maxFileBytes }, pool)
}

async function findDatabase(fs: SessionFs, dir: string): Promise<'present' | 'missing'> {
  const path = `${dir}/${SESSION_DB}`
  if (fs.diskPath(path) === undefined) throw new QueryError('unavailable', needsDisk(fs))
  const stat = await fs.stat(path)
  if (stat === undefined) return 'missing'
  if (stat.kind === 'file') return 'present'
  throw new QueryError(
    'unavailable',
    `${SESSION_DB} is not a plain file. It was not opened, because it could lead out of the session.`,
  )
}

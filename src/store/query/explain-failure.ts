/** Makes of SQLite's error one that says what is wrong and what to write instead. */
import type { DatabaseSync } from 'node:sqlite'
import { errorText } from '../../lib/error-text.ts'
import { STORE_TABLES } from './allowed.ts'
import type { Job } from './job.ts'
import { MAX_VALUE_BYTES } from './open-database.ts'
import { QueryError } from './query.ts'

type Around = {
  readonly job: Job
  readonly db: DatabaseSync | undefined
  readonly refusal: string | undefined
}

// SQLite's primary result codes.
const NO_MEMORY = 7
const READ_ONLY = 8
const FULL = 13
const TOO_BIG = 18
const NOT_AUTHORIZED = 23
/** PERM, BUSY, LOCKED, INTERRUPT, IOERR, CORRUPT, CANTOPEN, PROTOCOL, SCHEMA, NOLFS, NOTADB. */
const UNAVAILABLE: readonly number[] = [3, 5, 6, 9, 10, 11, 14, 15, 17, 22, 26]

export function explainFailure(error: unknown, { job, db, refusal }: Around): QueryError {
  if (error instanceof QueryError) return error
  const message = errorText(error)
  const code = primaryCode(error)
  if (refusal !== undefined) return refused(refusal, job, db)
  if (code === NOT_AUTHORIZED) return refused(message, job, db)
  if (code === READ_ONLY) return refused('writing', job, db)
  if (db === undefined || UNAVAILABLE.includes(code)) return unavailable(message, job, error)
  if (code === TOO_BIG || code === NO_MEMORY || code === FULL) return tooLarge(code, message)
  return new QueryError('syntax', [sentence(message), hint(message, job, db)].join(' ').trim(), {
    cause: error,
  })
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

const primaryCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : 0

function refused(what: string, job: Job, db: DatabaseSync | undefined): QueryError {
  const may =
    job.access.kind === 'session' && job.access.write
      ? "A session's database can be read, and its tables made and changed."
      : `Only reading is possible: one SELECT over these tables: ${tables(job, db).join(', ')}.`
  return new QueryError('refused', `Not allowed: ${what}. Nothing was changed. ${may}`, {
    details: { what },
  })
}

function unavailable(message: string, { access }: Job, cause: unknown): QueryError {
  const text =
    access.kind === 'store'
      ? `The session store cannot be read (${message}). "reprise reindex" makes it anew from the logs.`
      : `The session's database cannot be used (${message}). Nothing was changed.`
  return new QueryError('unavailable', text, { cause })
}

function tooLarge(code: number, message: string): QueryError {
  if (code === FULL) {
    return new QueryError(
      'too_large',
      "The session's database has reached its largest size. Nothing was changed. Delete what is not needed.",
    )
  }
  return new QueryError(
    'too_large',
    `A value is too large (${message}): ${MAX_VALUE_BYTES} bytes are possible. Select less at once.`,
  )
}

/** The tables when the name of one is wrong, and the columns of those named when it is a column's. */
function hint(message: string, job: Job, db: DatabaseSync): string {
  const known = tables(job, db)
  if (/no such (?:table|view)/i.test(message)) {
    return known.length === 0
      ? 'The database has no tables yet.'
      : `The tables are: ${known.join(', ')}.`
  }
  if (!/no such column|has no column/i.test(message)) return ''
  const sql = job.sql.toLowerCase()
  const named = known.filter((table) => sql.includes(table.toLowerCase()))
  return named.map((table) => `${table} has: ${columns(db, table).join(', ')}.`).join(' ')
}

function tables({ access }: Job, db: DatabaseSync | undefined): string[] {
  if (db === undefined) return []
  // A scope is laid over the tables as temporary views.
  const schema = access.kind === 'store' && access.repository !== undefined ? 'temp' : 'main'
  const present = db
    .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type IN ('table', 'view')`)
    .all()
    .map(({ name }) => String(name))
  if (access.kind === 'session') return present.filter((name) => !name.startsWith('sqlite_'))
  return STORE_TABLES.filter((name) => present.includes(name))
}

const columns = (db: DatabaseSync, table: string): string[] =>
  db
    .prepare("SELECT name FROM pragma_table_info(?, 'main')")
    .all(table)
    .map(({ name }) => String(name))

/**
 * Runs one statement in a database, within rules and caps. It may take for ever and need any amount of memory:
 * its caller lives in a process that can be killed.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { explainFailure } from './explain-failure.ts'
import { guard, type Guard, type Rules } from './guard.ts'
import type { Job, Outcome } from './job.ts'
import { textBehind } from './one-statement.ts'
import { openDatabase } from './open-database.ts'
import { bytesOf, QueryError, type QueryParams, type SqlValue } from './query.ts'
import { layScope } from './scope.ts'
import { sessionRules } from './session-rules.ts'
import { storeRules } from './store-rules.ts'

type Done = Extract<Outcome, { kind: 'done' }>

export function execute(job: Job): Outcome {
  let db: DatabaseSync | undefined
  let watch: Guard | undefined
  try {
    db = openDatabase(job)
    watch = guard(db, rulesFor(db, job))
    const statement = prepare(db, job.sql)
    watch.run()
    return results(statement, job)
  } catch (error) {
    watch?.lift()
    const { code, message, details } = explainFailure(error, { job, db, refusal: watch?.refusal })
    return { kind: 'failed', code, message, details }
  } finally {
    db?.close()
  }
}

/** Looks at the schema, while nothing is watched yet. */
function rulesFor(db: DatabaseSync, { access }: Job): Rules {
  if (access.kind === 'session') return sessionRules(access)
  const names = new Set(
    db
      .prepare('SELECT name FROM main.sqlite_schema UNION SELECT name FROM pragma_module_list')
      .all()
      .map(({ name }) => String(name).toLowerCase()),
  )
  // FTS5 reads its settings when it is met first. Later, while the query's own text is judged, nobody may.
  if (names.has('search_index')) db.prepare('SELECT 1 FROM main.search_index LIMIT 0').all()
  const { repository } = access
  return storeRules({
    names,
    scope: repository === undefined ? undefined : layScope(db, repository),
  })
}

function prepare(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  const rest = textBehind(sql, statement.sourceSQL)
  if (rest === '') return statement
  throw new QueryError(
    'refused',
    `Only one statement can be run at a time. This stands behind the first: ${rest.slice(0, 80)}`,
    { details: { what: 'a second statement' } },
  )
}

function results(statement: StatementSync, job: Job): Done {
  statement.setReadBigInts(true)
  const [named, listed] = isList(job.params) ? [{}, job.params] : [job.params, []]
  const columns = statement.columns().map(({ name }) => name)
  if (columns.length === 0) {
    const { changes } = statement.run(named, ...listed)
    return { kind: 'done', columns, rows: [], truncated: false, changes: Number(changes) }
  }
  statement.setReturnArrays(true)
  const rows: SqlValue[][] = []
  let room = job.maxBytes - columns.reduce((sum, name) => sum + Buffer.byteLength(name), 0)
  for (const row of statement.iterate(named, ...listed)) {
    // With arrays asked for, a row is an array of values; the types know records only.
    const values = Object.values(row).map(plain)
    room -= values.reduce((sum: number, value) => sum + bytesOf(value), 0)
    if (rows.length === 0 && room < 0) throw tooWide(job.maxBytes)
    if (rows.length === job.maxRows || room < 0) {
      return { kind: 'done', columns, rows, truncated: true }
    }
    rows.push(values)
  }
  return { kind: 'done', columns, rows, truncated: false }
}

const isList = (params: QueryParams): params is readonly SqlValue[] => Array.isArray(params)

/** Whole numbers come as numbers where a number can hold them. */
const plain = (value: SqlValue): SqlValue =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

const tooWide = (maxBytes: number) =>
  new QueryError(
    'too_large',
    `The first row alone has more than ${maxBytes} bytes. Select fewer columns, or parts of them with substr().`,
    { details: { maxBytes } },
  )

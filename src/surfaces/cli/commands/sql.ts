/** `sql`. */
import { EngineError } from '../../../engine/errors.ts'
import type { ErrorCode } from '../../../engine/errors.ts'
import { sessionDir } from '../../../format/paths.ts'
import { STORE_TABLES } from '../../../store/query/allowed.ts'
import { QueryError } from '../../../store/query/query.ts'
import type { QueryErrorCode, QueryResult, SqlValue } from '../../../store/query/query.ts'
import { redactResult } from '../../../store/query/redact-result.ts'
import { runQuery } from '../../../store/query/run-query.ts'
import { readSessionSql } from '../../../store/query/session-sql.ts'
import { readAll } from '../ask.ts'
import type { Cli, Given, Run } from '../command.ts'
import { usage } from '../command.ts'
import { findSession } from '../find-session.ts'
import { freshStore } from '../fresh-store.ts'
import { resultTable } from '../render/result-table.ts'
import { counted } from '../../../lib/quantities.ts'
import { dim, yellow } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const word = given.word(0)
  if (given.flag('schema') === (word !== undefined)) throw usage('Give a query, or --schema.')
  if (given.flag('csv') && cli.json) throw usage('Give --csv or --json, not both.')
  const { ask, ...about } = await database(cli, given)
  if (word === undefined) return await showSchema(cli, given, ask)
  const sql = word === '-' ? await readAll(cli.host.stdin, cli.signal) : word
  const result = await ask(sql)
  if (cli.json) {
    const rows = result.rows.map((row) => row.map(toJson))
    cli.out.json({ ...result, rows, ...about })
    return
  }
  if (given.flag('csv')) await cli.out.bytes(Buffer.from(csvOf(result)))
  else showTable(cli, result)
  if (result.truncated) {
    cli.out.note(yellow(`There are more than these ${counted(result.rows.length, 'row')}.`))
  }
}

type Ask = (sql: string) => Promise<QueryResult>

async function database(
  cli: Cli,
  given: Given,
): Promise<{ readonly ask: Ask; readonly stale?: boolean }> {
  const redactor = await cli.host.openRedactor(cli.home.path)
  const safe = (result: QueryResult) => redactResult(result, redactor)
  const session = given.text('session')
  const { signal } = cli
  if (session !== undefined) {
    const engine = await cli.engine()
    const dir = sessionDir(await findSession(cli, engine, session))
    return { ask: (sql) => readSessionSql(engine.fs, dir, { sql, signal }).then(safe, explain) }
  }
  const { store, stale } = await freshStore(cli, given)
  const path = await store.path()
  if (path === undefined)
    throw new EngineError('not_found', 'Sessions live in memory here, and so does their store.')
  return { ask: (sql) => runQuery(path, { sql, signal }).then(safe, explain), stale }
}

const codes: Record<QueryErrorCode, ErrorCode> = {
  syntax: 'invalid',
  refused: 'invalid',
  deadline: 'invalid',
  too_large: 'invalid',
  unavailable: 'not_found',
}

function explain(error: unknown): never {
  if (!(error instanceof QueryError)) throw error
  const details = { reason: error.code, ...error.details }
  throw new EngineError(codes[error.code], error.message, { cause: error, details })
}

async function showSchema(cli: Cli, given: Given, ask: Ask): Promise<void> {
  const { rows } = await ask(
    "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid",
  )
  const tables = rows
    .map(([name, sql]) => ({ name: String(name), sql: String(sql) }))
    .filter(({ name }) => given.text('session') !== undefined || STORE_TABLES.includes(name))
  if (cli.json) cli.out.json({ tables })
  else for (const { sql } of tables) cli.out.block(`${sql};\n`)
}

function showTable(cli: Cli, { columns, rows, elapsedMs }: QueryResult): void {
  const right = columns.flatMap((_, at) =>
    rows.length > 0 && rows.every((row) => isNumeric(row[at] ?? null)) ? at : [],
  )
  const shown = { head: columns, rows: rows.map((row) => row.map(toText)), right }
  if (columns.length > 0) {
    for (const spans of resultTable(shown, cli.out.columns)) cli.out.line(...spans)
  }
  cli.out.note(dim(`${counted(rows.length, 'row')}, ${Math.ceil(elapsedMs)} ms`))
}

const isNumeric = (value: SqlValue) =>
  value === null || typeof value === 'number' || typeof value === 'bigint'

function toText(value: SqlValue): string {
  if (value === null) return ''
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value)
}

/** What JSON has no word for: whole numbers beyond 2^53 become texts, bytes an object. */
function toJson(value: SqlValue): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value
}

const csvOf = ({ columns, rows }: QueryResult): string =>
  [columns, ...rows.map((row) => row.map(toText))]
    .map((row) => `${row.map(inCsv).join(',')}\n`)
    .join('')

const inCsv = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

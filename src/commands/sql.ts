/** `/sql`: one SELECT over the session store, or over the database of one session, in the sandbox of every query. */
import { z } from 'zod'
import { EngineError, type ErrorCode } from '../engine/errors.ts'
import { sessionDir } from '../format/paths.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import { preview } from '../state/preview.ts'
import type { QueryErrorCode, QueryResult, SqlValue } from '../store/query/query.ts'
import { command, type CommandContext } from './command.ts'
import { findSession } from './find-session.ts'
import { elsewhere, farBehind, farOf, type Far } from './remote-query.ts'
import { asking, behind, freshStore } from './fresh-store.ts'
import { fenced, plain, table } from './markdown.ts'

const LONGEST_CELL = 80

export const sql = command({
  name: 'sql',
  summary: 'ask the session store in SQL; nothing is ever changed',
  changes: 'nothing',
  on: 'home',
  args: z.object({
    query: z.string().optional().describe('one SELECT'),
    schema: z.boolean().optional().describe('the tables and their columns'),
    session: z
      .string()
      .optional()
      .describe('the database of this session instead of the session store'),
    ...elsewhere,
  }),
  words: ['query…'],
  run: (context, { query, schema = false, session, cloud, team }) =>
    asking(async () => {
      if (schema === (query !== undefined))
        throw new EngineError('invalid', 'Give a query, or --schema.')
      const far = await farOf(context, { cloud, team })
      if (far !== undefined && session !== undefined)
        throw new EngineError(
          'invalid',
          'The database of a session is on its machine: --session goes with neither --cloud nor --team.',
        )
      if (far !== undefined) return askFar(context, far, query)
      const { ask, ...about } = await database(context, session)
      if (query !== undefined) return { ...(await ask(query)), ...about }
      const { STORE_TABLES } = await import('../store/query/allowed.ts')
      const { rows } = await ask(TABLES)
      const tables = rows.map(([name, text]) => ({ name: String(name), sql: String(text) }))
      return {
        tables: tables.filter(({ name }) => session !== undefined || STORE_TABLES.includes(name)),
      }
    }),
  say(result, wording) {
    if ('tables' in result && result.tables !== undefined)
      return fenced(result.tables.map((each) => `${each.sql};`).join('\n'), 'sql')
    const { columns, rows, truncated, elapsedMs, ...about } = result
    const foot = [
      `${counted(rows.length, 'row')}, ${Math.ceil(elapsedMs)} ms.${truncated ? ' There are more than these.' : ''}`,
      ...('stale' in about && about.stale === true ? [behind(wording)] : []),
      ...('behind' in about ? farBehind(about.behind) : []),
    ]
    if (rows.length === 0 || columns.length === 0) return foot.join('\n')
    const cells = rows.map((row) => columns.map((_, at) => cellOf(row[at] ?? null)))
    return [table(columns.map(cellOf), cells), '', ...foot].join('\n')
  },
})

async function askFar(context: CommandContext, { of, store }: Far, query: string | undefined) {
  if (query === undefined) return { tables: await store.schema() }
  const { redactResult } = await import('../store/query/redact-result.ts')
  const { signal } = context.waiting ?? {}
  const { behind: unread, ...result } = await store.sql(of, { sql: query, signal })
  return { ...redactResult(result, await context.redactor()), of, behind: unread }
}

const TABLES = "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid"

type Database = {
  readonly ask: (query: string) => Promise<QueryResult>
  readonly stale?: boolean
}

async function database(context: CommandContext, session: string | undefined): Promise<Database> {
  const [{ runQuery }, { readSessionSql }, { redactResult }, { QueryError }] = await Promise.all([
    import('../store/query/run-query.ts'),
    import('../store/query/session-sql.ts'),
    import('../store/query/redact-result.ts'),
    import('../store/query/query.ts'),
  ])
  const redactor = await context.redactor()
  const { engine, waiting } = context
  const wish = (query: string) => ({ sql: query, ...defined({ signal: waiting?.signal }) })
  const safe = async (asked: Promise<QueryResult>): Promise<QueryResult> => {
    try {
      return redactResult(await asked, redactor)
    } catch (cause) {
      if (!(cause instanceof QueryError)) throw cause
      const details = { reason: cause.code, ...cause.details }
      throw new EngineError(codes[cause.code], cause.message, { cause, details })
    }
  }
  if (session !== undefined) {
    const folder = sessionDir(await findSession(context, engine, session))
    return { ask: (query) => safe(readSessionSql(engine.fs, folder, wish(query))) }
  }
  const { store, stale } = await freshStore(context)
  const path = await store.path()
  if (path === undefined)
    throw new EngineError('not_found', 'Sessions live in memory here, and so does their store.')
  return { ask: (query) => safe(runQuery(path, wish(query))), stale }
}

const codes: Record<QueryErrorCode, ErrorCode> = {
  syntax: 'invalid',
  refused: 'invalid',
  deadline: 'invalid',
  too_large: 'invalid',
  unavailable: 'not_found',
}

const cellOf = (value: SqlValue): string => plain(preview(textOf(value), LONGEST_CELL))

/** As it is shown: nothing for NULL, bytes as SQL writes them. */
export function textOf(value: SqlValue): string {
  if (value === null) return ''
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value)
}

/** What is known over all sessions: search, reports, SQL. All of it needs the session store. */
import type { z } from 'zod'
import { makeReport, readActivityOf } from '../../store/reports/chronicle.ts'
import type { ReportKind } from '../../store/reports/report.ts'
import { subjectOf } from '../../store/reports/subject.ts'
import { readConfig } from '../../config/load.ts'
import { connect, type Connection } from '../../store/connection.ts'
import { findDatabaseFile } from '../../store/database-file.ts'
import { STORE_TABLES } from '../../store/query/allowed.ts'
import type { SqlValue } from '../../store/query/query.ts'
import { runQuery } from '../../store/query/run-query.ts'
import { rewindReader } from '../../store/rewinds.ts'
import type * as api from './api.ts'
import { WebFailure } from './failure.ts'
import { defined } from '../../lib/defined.ts'
import * as ask from './requests.ts'
import { get, post, type Web } from './route.ts'
import { storeOf } from './store-parts.ts'

export const storeRoutes = [
  get(
    '/api/search',
    {
      summary: 'Searches everything that was said and done',
      answer: 'SearchAnswer',
      query: ask.SearchQuery,
    },
    async (web, { query: { q, limit, ...filters } }): Promise<api.SearchAnswer> => {
      const store = await storeOf(web).store()
      await store.catchUp()
      return store.search({ query: q, limit, filters: defined(filters) })
    },
  ),
  get(
    '/api/chronicle/:kind',
    {
      summary: 'A report over all sessions',
      answer: 'ReportAnswer',
      params: ask.ReportParams,
      query: ask.ReportQuery,
    },
    (web, { params, query }) => report(web, params.kind, query),
  ),
  get(
    '/api/usage',
    {
      summary: 'Tokens and money by model, day and repository',
      answer: 'ReportAnswer',
      query: ask.ReportQuery,
    },
    (web, { query }) => report(web, 'cost', query),
  ),
  get(
    '/api/activity',
    {
      summary: 'What charts are drawn from: turns and use of models by day, and files',
      answer: 'ActivityAnswer',
      query: ask.ActivityQuery,
    },
    async (web, { query: { repo: repository, zone, since } }): Promise<api.ActivityAnswer> =>
      withStore(web, async (connection) => {
        const { prices } = await readConfig(web.engine.fs)
        const wanted = { now: new Date(), ...defined({ since, zone, prices, repository }) }
        return readActivityOf(connection, wanted)
      }),
  ),
  get(
    '/api/sql/schema',
    { summary: 'The tables that a query may read', answer: 'SqlSchemaAnswer' },
    async (web): Promise<api.SqlSchemaAnswer> => {
      const { rows } = await runQuery(await databaseOf(web), {
        sql: "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid",
      })
      const tables = rows.map(([name, sql]) => ({ name: String(name), sql: String(sql) }))
      return { tables: tables.filter(({ name }) => STORE_TABLES.includes(name)) }
    },
  ),
  post(
    '/api/sql',
    {
      summary: 'Reads the session store with one statement of SQL',
      answer: 'SqlAnswer',
      body: ask.SqlBody,
    },
    async (web, { body: { sql, repository } }): Promise<api.SqlAnswer> => {
      const scope = repository === undefined ? {} : { scope: { repository } }
      const { columns, rows, truncated, elapsedMs } = await runQuery(await databaseOf(web), {
        sql,
        ...scope,
      })
      return { columns, rows: rows.map((row) => row.map(cellOf)), truncated, elapsedMs }
    },
  ),
]

async function report(
  web: Web,
  kind: ReportKind,
  { since, repo, zone }: z.infer<typeof ask.ReportQuery>,
): Promise<api.ReportAnswer> {
  const { engine } = web
  return withStore(web, async (connection) =>
    makeReport(connection, kind, {
      now: new Date(),
      ...defined({ since, zone }),
      ...subjectOf(kind, await engine.project(web.cwd), repo),
      ...(kind === 'improve' && { rewinds: rewindReader(engine.fs) }),
      ...(kind === 'cost' && defined({ prices: (await readConfig(engine.fs)).prices })),
    }),
  )
}

/** With everything in it that was said until now. */
async function withStore<T>(web: Web, read: (connection: Connection) => Promise<T>): Promise<T> {
  const { store, cacheFolder } = storeOf(web)
  await (await store()).catchUp()
  const connection = connect(web.engine.fs, { cacheFolder })
  try {
    return await read(connection)
  } finally {
    connection.close()
  }
}

async function databaseOf(web: Web): Promise<string> {
  const { store, cacheFolder } = storeOf(web)
  await (await store()).catchUp()
  const file = await findDatabaseFile(web.engine.fs, { cacheFolder })
  if (file !== undefined && (await file.fs.stat(file.path)) !== undefined) return file.native
  throw new WebFailure('unavailable', 'There is no session store yet. "reprise reindex" makes it.')
}

/** What JSON has no word for: whole numbers beyond 2^53 become texts, bytes an object. */
function cellOf(value: SqlValue): api.SqlCell {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value
}

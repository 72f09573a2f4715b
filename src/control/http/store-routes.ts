/** What is known over all sessions that the asker may see: search, SQL, reports. */
import { z } from 'zod'
import { makeReport, readActivityOf } from '../../store/reports/chronicle.ts'
import { reportKinds } from '../../store/reports/report.ts'
import { BadPeriod } from '../../store/reports/since.ts'
import { defined } from '../../lib/defined.ts'
import { isZone } from '../../lib/time-zone.ts'
import { roles } from '../../store/filters.ts'
import { BadQuery } from '../../store/query.ts'
import { STORE_TABLES } from '../../store/query/allowed.ts'
import { QueryError, type SqlValue } from '../../store/query/query.ts'
import { runQuery } from '../../store/query/run-query.ts'
import type { Hit } from '../../store/search.ts'
import { ControlError } from '../control-error.ts'
import type { Audience } from '../derived/stores.ts'
import { SqlBody } from './bodies.ts'
import { checked } from './checked-query.ts'
import { route } from './route.ts'

const WATCH = ['watch'] as const

export const storeRoutes = [
  route({
    method: 'GET',
    path: '/api/search',
    summary: 'Searches what was said and done: in one’s own sessions, in the team’s, or in both',
    scopes: WATCH,
    async run({ stores }, { asker, query }) {
      const { q, of, limit = 20, raw, ...filters } = checked(SearchQuery, query)
      const found = await Promise.all(
        audiencesIn(of).map((audience) =>
          stores.use(asker, audience, async (store, behind) => ({
            ...(await asInvalid(
              store.search({ query: q, limit, raw: raw === 'true', filters: defined(filters) }),
            )),
            behind,
          })),
        ),
      )
      // What is one's own and shared is in both.
      const hits = new Map<string, Hit>()
      for (const hit of found.flatMap((each) => each.hits))
        hits.set(`${hit.sessionId} ${hit.turn} ${hit.source}`, hit)
      return {
        hits: [...hits.values()].toSorted((one, other) => other.score - one.score).slice(0, limit),
        isPartial: found.some(({ isPartial }) => isPartial),
        suggestions: hits.size > 0 ? [] : found.flatMap(({ suggestions }) => suggestions),
        behind: worst(found.map(({ behind }) => behind)),
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sql',
    summary: 'Reads one’s own sessions, or the team’s, with one statement of SQL',
    scopes: WATCH,
    body: SqlBody,
    run: ({ stores }, { asker, body: { sql, of = 'team', repository } }) =>
      stores.use(asker, of, async ({ path }, behind) => {
        const { columns, rows, truncated, elapsedMs } = await asInvalid(
          runQuery(path, { sql, ...(repository !== undefined && { scope: { repository } }) }),
        )
        return {
          columns,
          rows: rows.map((row) => row.map(cellOf)),
          truncated,
          elapsedMs,
          behind,
        }
      }),
  }),
  route({
    method: 'GET',
    path: '/api/sql/schema',
    summary: 'The tables that a query may read, in the SQL of SQLite',
    scopes: WATCH,
    run: ({ stores }, { asker }) =>
      stores.use(asker, 'mine', async ({ path }) => {
        const { rows } = await runQuery(path, {
          sql: "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid",
        })
        const tables = rows.map(([name, sql]) => ({ name: String(name), sql: String(sql) }))
        return { tables: tables.filter(({ name }) => STORE_TABLES.includes(name)) }
      }),
  }),
  route({
    method: 'GET',
    path: '/api/chronicle/:kind',
    summary: 'A report over one’s own sessions, or the team’s: standup, tips, improve, cost',
    scopes: WATCH,
    run({ stores, now }, { asker, params, query }) {
      const kind = reportKinds.find((each) => each === params['kind'])
      if (kind === undefined)
        throw new ControlError('not_found', `A report is one of ${reportKinds.join(', ')}.`)
      const { of = 'team', since, repo: repository, zone } = checked(ReportQuery, query)
      return stores.use(asker, of, async ({ connection }, behind) => {
        const options = { now: new Date(now()), ...defined({ since, repository, zone }) }
        return { ...(await asInvalid(makeReport(connection, kind, options))), behind }
      })
    },
  }),
  route({
    method: 'GET',
    path: '/api/activity',
    summary: 'What charts are drawn from: turns and use of models by day, and files',
    scopes: WATCH,
    run({ stores, now }, { asker, query }) {
      const { of = 'team', since, repo: repository, zone } = checked(ReportQuery, query)
      return stores.use(asker, of, async ({ connection }, behind) => {
        const options = { now: new Date(now()), ...defined({ since, repository, zone }) }
        return { ...(await asInvalid(readActivityOf(connection, options))), behind }
      })
    },
  }),
]

const audience = z.enum(['mine', 'team'])
const text = z.string().max(500).optional()

const SearchQuery = z.object({
  q: z.string(),
  of: audience.optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
  repo: text,
  branch: text,
  since: text,
  until: text,
  agent: text,
  file: text,
  ref: text,
  role: z.enum(roles).optional(),
  session: text,
  /** The words are an expression of FTS5. */
  raw: z.enum(['true', 'false']).optional(),
})
const ReportQuery = z.object({
  of: audience.optional(),
  since: text,
  repo: text,
  zone: z.string().max(100).refine(isZone, 'is no time zone').optional(),
})

const audiencesIn = (of: Audience | undefined): readonly Audience[] =>
  of === undefined ? ['mine', 'team'] : [of]

const worst = (all: readonly { readonly sessions: number; readonly events: number }[]) =>
  all.toSorted((one, other) => other.events - one.events)[0]

/** What is wrong with a question is told in the words of the store. */
async function asInvalid<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof BadQuery || cause instanceof BadPeriod || cause instanceof QueryError)
      throw new ControlError('invalid', cause.message, { cause })
    throw cause
  }
}

/** What JSON has no word for: whole numbers beyond 2^53 become texts, bytes an object. */
function cellOf(value: SqlValue) {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value
}

/** The store of Mission Control, asked over the wire. What it refuses is said in its own words. */
import { z } from 'zod'
import { isSessionId, type SessionId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'
import type { FarStore } from '../store/far-store.ts'
import { roles } from '../store/filters.ts'
import { askJson, type Asked, type ServerAddress } from './ask-server.ts'
import { asEngineErrors } from './engine-errors.ts'
import { params } from './params.ts'

/** A question may have to wait until the server has read what is new. */
const PATIENCE_MS = 60_000

export const openFarStore = (address: ServerAddress): FarStore => ({
  async search(of, { query, filters = {}, limit, raw }) {
    const wish = { q: query, of, limit, raw, ...filters }
    const found = await ask(address, `/api/search?${params(wish)}`, Found)
    return { ...found, hits: found.hits.map((hit) => defined(hit)) }
  },
  async sql(of, { sql, repository, signal }) {
    const json = { sql, of, ...defined({ repository }) }
    const asked = { method: 'POST', json, ...defined({ signal }) } as const
    const { rows, ...answer } = await ask(address, '/api/sql', Rows, asked)
    return { ...answer, rows: rows.map((row) => row.map(cellOf)) }
  },
  schema: async () => (await ask(address, '/api/sql/schema', Schema)).tables,
  report: (of, kind, { since, repo }) =>
    ask(address, `/api/chronicle/${kind}?${params({ of, since, repo })}`, Report),
})

const ask = <T>(address: ServerAddress, path: string, schema: z.ZodType<T>, asked: Asked = {}) =>
  asEngineErrors(() => askJson(address, path, schema, { timeoutMs: PATIENCE_MS, ...asked }))

const Behind = z.object({ sessions: z.int(), events: z.int() })
const Hit = z.object({
  sessionId: z.custom<SessionId>((id) => typeof id === 'string' && isSessionId(id)),
  name: z.string(),
  repository: z.string().optional(),
  branch: z.string().optional(),
  turn: z.int().optional(),
  role: z.enum(roles),
  source: z.string(),
  at: z.string(),
  score: z.number(),
  snippet: z.object({
    text: z.string(),
    ranges: z.array(z.object({ start: z.int(), end: z.int() })),
    isCut: z.object({ before: z.boolean(), after: z.boolean() }),
  }),
})
const Found = z.object({
  hits: z.array(Hit),
  isPartial: z.boolean(),
  suggestions: z.array(z.object({ word: z.string(), instead: z.array(z.string()) })),
  behind: Behind,
})
const Cell = z.union([z.null(), z.number(), z.string(), z.object({ base64: z.string() })])
const Rows = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(Cell)),
  truncated: z.boolean(),
  elapsedMs: z.number(),
  behind: Behind,
})
const Schema = z.object({ tables: z.array(z.object({ name: z.string(), sql: z.string() })) })
const Report = z.object({
  markdown: z.string(),
  json: z.record(z.string(), z.unknown()),
  behind: Behind,
})

const cellOf = (value: z.output<typeof Cell>) =>
  typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value

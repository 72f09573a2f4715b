/** Vectors of sessions, kept beside the index: made when they are asked for, again when a session has gone on. */
import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from '../connection.ts'
import { sqlOf } from '../sql.ts'
import { inTransaction } from '../transaction.ts'
import { AT_ONCE, type Embedder, type Vector } from './embedder.ts'
import { textsOf, type MeaningText } from './texts.ts'

export type Kept = { readonly made: number; readonly missing: number }

type Due = { readonly id: string; readonly lastEvent: string }

/** The newest first; what is not done in time is done by the next who asks. */
export async function keepVectors(
  connection: Connection,
  embedder: Embedder,
  {
    signal,
    onProgress,
  }: {
    readonly signal?: AbortSignal | undefined
    readonly onProgress?: ((done: number, total: number) => void) | undefined
  } = {},
): Promise<Kept> {
  const due = await connection.use((db) => dueSessions(db, embedder.model))
  let made = 0
  // A text or two of each: about as many as the endpoint takes at once.
  const step = AT_ONCE / 2
  for (let at = 0; at < due.length; at += step) {
    if (signal?.aborted === true) break
    const some = due.slice(at, at + step)
    const texts = await connection.use((db) => some.map(({ id }) => textsOf(sqlOf(db), id)))
    const vectors = await embedder.embed(
      texts.flat().map(({ text }) => text),
      signal,
    )
    await connection.use((db) => save(db, embedder.model, some, texts, vectors))
    made += some.length
    onProgress?.(made, due.length)
  }
  return { made, missing: due.length - made }
}

function dueSessions(db: DatabaseSync, model: string): readonly Due[] {
  const sql = sqlOf(db)
  // Of sessions that went while the index was made anew.
  sql(
    'DELETE FROM reprise_vectors WHERE session_id NOT IN (SELECT session_id FROM reprise_cursors)',
  ).run()
  return sql(
    `SELECT c.session_id AS id, coalesce(c.last_event_id, '') AS lastEvent FROM reprise_cursors c
     LEFT JOIN reprise_vectors v ON v.session_id = c.session_id AND v.part = 'session'
     WHERE c.turn_count > 0 AND (v.session_id IS NULL OR v.model <> ? OR v.last_event <> coalesce(c.last_event_id, ''))
     ORDER BY c.last_event_at DESC`,
  ).all(model) as Due[]
}

function save(
  db: DatabaseSync,
  model: string,
  sessions: readonly Due[],
  texts: readonly (readonly MeaningText[])[],
  vectors: readonly Vector[],
): void {
  const sql = sqlOf(db)
  let next = 0
  inTransaction(db, () => {
    for (const [at, { id, lastEvent }] of sessions.entries()) {
      sql('DELETE FROM reprise_vectors WHERE session_id = ?').run(id)
      for (const { part } of texts[at] ?? []) {
        // One that cannot be had is kept as empty: it is near nothing, and is not asked for again.
        const bytes = new Uint8Array((vectors[next++] ?? new Float32Array()).buffer)
        sql(
          'INSERT INTO reprise_vectors (session_id, part, model, last_event, vector) VALUES (?, ?, ?, ?, ?)',
        ).run(id, part, model, lastEvent, bytes)
      }
    }
  })
}

/** Vectors of another length are of another model under the same name. How many sessions have to be made known anew. */
export function dropOthers(db: DatabaseSync, model: string, { byteLength }: Float32Array): number {
  const sql = sqlOf(db)
  const others = `FROM reprise_vectors WHERE model = ? AND length(vector) NOT IN (0, ?)`
  const row = sql(`SELECT count(DISTINCT session_id) AS sessions ${others}`).get(model, byteLength)
  const sessions = Number(row?.['sessions'])
  if (sessions > 0) sql(`DELETE ${others}`).run(model, byteLength)
  return sessions
}

export type Near = {
  readonly sessionId: string
  readonly part: string
  readonly similarity: number
}

/** The part of each session that is nearest, the nearest session first. */
export function nearestTo(
  db: DatabaseSync,
  query: Float32Array,
  {
    model,
    allowed,
    most,
  }: {
    readonly model: string
    readonly allowed?: ReadonlySet<string> | undefined
    readonly most: number
  },
): readonly Near[] {
  const best = new Map<string, Near>()
  const rows = sqlOf(db)(
    'SELECT session_id AS id, part, vector FROM reprise_vectors WHERE model = ?',
  ).iterate(model)
  for (const { id, part, vector } of rows) {
    const sessionId = String(id)
    if (allowed !== undefined && !allowed.has(sessionId)) continue
    const similarity = product(query, vector as Uint8Array)
    if (similarity > (best.get(sessionId)?.similarity ?? 0))
      best.set(sessionId, { sessionId, part: String(part), similarity })
  }
  return [...best.values()].sort((a, b) => b.similarity - a.similarity).slice(0, most)
}

/** Of two vectors of length 1: 1 when they say the same. Those of another length are of another model. */
function product(query: Float32Array, bytes: Uint8Array): number {
  if (bytes.byteLength !== query.byteLength) return 0
  // A copy: what SQLite gives need not begin where numbers of four bytes may.
  const vector = new Float32Array(bytes.slice().buffer)
  let sum = 0
  for (let at = 0; at < query.length; at++) sum += (query[at] ?? 0) * (vector[at] ?? 0)
  return sum
}

/**
 * What was found by words, together with the sessions that mean the same: two lists made one by the places in them. When
 * the endpoint does not answer, what was found by words stands, and that is said.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { Connection } from '../connection.ts'
import { conditionOf, type Filters } from '../filters.ts'
import { DEFAULT_LIMIT, type Hit, type SearchQuery, type SearchResult } from '../search.ts'
import { snippetOf } from '../snippet.ts'
import { sqlOf } from '../sql.ts'
import { fusedScore } from '../weights.ts'
import { NoEmbedding, type Embedder } from './embedder.ts'
import { dropOthers, keepVectors, nearestTo, type Near } from './keep.ts'
import { textsOf } from './texts.ts'

/** Nobody waits longer for vectors that are missing; "reindex" makes all. */
const LONGEST_WAIT_MS = 3_000
const LONGEST_QUESTION_MS = 5_000
const MOST_NEAR = 50

export async function withMeaning(
  connection: Connection,
  query: SearchQuery,
  byWords: SearchResult,
  embedder: Embedder,
): Promise<SearchResult> {
  // Whose words they are is known of words only.
  if (query.raw === true || query.filters?.role !== undefined) return byWords
  try {
    const { missing } = await keepVectors(connection, embedder, {
      signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    }).catch(stopped)
    const [vector] = await embedder.embed([query.query], AbortSignal.timeout(LONGEST_QUESTION_MS))
    if (vector === undefined) throw new NoEmbedding('The endpoint does not take this question.')
    return await connection.use((db) => {
      const nowMs = (query.now ?? new Date()).getTime()
      const dropped = dropOthers(db, embedder.model, vector)
      const near = nearestTo(db, vector, {
        model: embedder.model,
        most: MOST_NEAR,
        ...defined({ allowed: allowedBy(db, query.filters, nowMs) }),
      })
      const meaning = { model: embedder.model, missing: missing + dropped }
      return { ...fuse(db, byWords, near, query), meaning }
    })
  } catch (cause) {
    if (!(cause instanceof NoEmbedding)) throw cause
    return { ...byWords, meaning: { model: embedder.model, failed: cause.message } }
  }
}

/** The time for it was over: what is there is used. Whether the endpoint answers at all is seen by the question itself. */
function stopped(cause: unknown): { missing: number } {
  if (cause instanceof NoEmbedding) return { missing: 1 }
  throw cause
}

/** Undefined when all may be found. */
function allowedBy(
  db: DatabaseSync,
  filters: Filters | undefined,
  nowMs: number,
): ReadonlySet<string> | undefined {
  if (filters === undefined || Object.keys(filters).length === 0) return undefined
  const { sql, values } = conditionOf(filters, nowMs)
  const rows = sqlOf(db)(
    `SELECT DISTINCT c.session_id AS id FROM reprise_documents d
     JOIN reprise_cursors c ON c.key = d.session_key WHERE ${sql}`,
  ).all(...values)
  return new Set(rows.map(({ id }) => String(id)))
}

/** By session: its hits stay together, in the order that their words gave them. */
function fuse(
  db: DatabaseSync,
  byWords: SearchResult,
  near: readonly Near[],
  { limit = DEFAULT_LIMIT, explain = false }: SearchQuery,
): Pick<SearchResult, 'hits' | 'isPartial' | 'suggestions' | 'isLoose'> {
  const words = new Map<string, Hit[]>()
  for (const hit of byWords.hits) {
    const own = words.get(hit.sessionId) ?? []
    own.push(hit)
    words.set(hit.sessionId, own)
  }
  const wordRanks = new Map([...words.keys()].map((id, at) => [id, at + 1]))
  const nearRanks = new Map(near.map(({ sessionId }, at) => [sessionId, at + 1]))
  const ids = new Set([...wordRanks.keys(), ...nearRanks.keys()])
  const hits = [...ids]
    .map((id) => ({ id, score: fusedScore([wordRanks.get(id), nearRanks.get(id)]) }))
    .sort((a, b) => b.score - a.score)
    .flatMap(({ id, score }): Hit[] => {
      const rank = nearRanks.get(id)
      const found = near.find(({ sessionId }) => sessionId === id)
      const meaning =
        found === undefined || rank === undefined
          ? undefined
          : { rank, similarity: found.similarity, of: found.part }
      const own = words.get(id) ?? (found === undefined ? [] : hitOf(db, found))
      const told = (hit: Hit) =>
        explain ? { explained: { ...hit.explained, fused: score, ...defined({ meaning }) } } : {}
      return own.map((hit) => ({ ...hit, score, ...told(hit) }))
    })
  return {
    ...byWords,
    hits: hits.slice(0, limit),
    suggestions: hits.length > 0 ? [] : byWords.suggestions,
  }
}

/** A session that was found by what it means: shown by how it begins, or by its summary. */
function hitOf(db: DatabaseSync, { sessionId, part, similarity }: Near): Hit[] {
  const sql = sqlOf(db)
  const row = sql(
    `SELECT coalesce(o.name, s.summary, '') AS name, s.repository, s.branch,
       coalesce(c.last_event_at, s.updated_at) AS at
     FROM sessions s JOIN reprise_cursors c ON c.session_id = s.id
     LEFT JOIN reprise_sessions o ON o.session_id = s.id WHERE s.id = ?`,
  ).get(sessionId)
  const text = textsOf(sql, sessionId).find((each) => each.part === part)?.text
  if (row === undefined || text === undefined) return []
  const isCheckpoint = part.startsWith('checkpoint')
  return [
    {
      sessionId: sessionId as SessionId,
      name: String(row.name),
      role: isCheckpoint ? 'checkpoint' : 'name',
      source: part.replace(' ', ':'),
      at: String(row.at),
      snippet: snippetOf(text, []),
      score: similarity,
      ...defined({
        repository: row.repository === null ? undefined : String(row.repository),
        branch: row.branch === null ? undefined : String(row.branch),
      }),
    },
  ]
}

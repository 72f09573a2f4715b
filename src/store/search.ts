/** Searches everything that was said and done, best first, and shows where. */
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../format/ids.ts'
import { findCandidates, type Candidate } from './candidates.ts'
import { conditionOf, roleOf, type Filters, type Role } from './filters.ts'
import { BadQuery, matchOf, parseQuery, type Term } from './query.ts'
import { findPieces, readMarks, snippetOf, type Snippet } from './snippet.ts'
import { sqlOf, type Sql } from './sql.ts'
import { suggest, type Suggestion } from './suggest.ts'

export type SearchQuery = {
  readonly query: string
  readonly filters?: Filters
  readonly limit?: number
  /** The query is an expression of SQLite's FTS5, as it is. */
  readonly raw?: boolean
  readonly now?: Date
}

export type Hit = {
  readonly sessionId: SessionId
  readonly name: string
  readonly repository?: string
  readonly branch?: string
  /** From 0, as rewinding counts them. Absent when it belongs to no turn. */
  readonly turn?: number
  readonly role: Role
  /** Which tool, checkpoint or file it is. */
  readonly source: string
  readonly at: string
  readonly snippet: Snippet
  /** Larger is better; only comparable within one result. */
  readonly score: number
}

export type SearchResult = {
  readonly hits: readonly Hit[]
  /** Only the newest of the fitting documents were looked at. */
  readonly isPartial: boolean
  readonly suggestions: readonly Suggestion[]
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 500
/** Who speaks in a turn is seen only in its text: so many are looked at for one side's words. */
const ROLE_CANDIDATES = 500

export function search(db: DatabaseSync, query: SearchQuery): SearchResult {
  const sql = sqlOf(db)
  const { filters = {}, raw = false, now = new Date() } = query
  const nowMs = now.getTime()
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT)
  const terms = raw ? [] : parseQuery(query.query)
  const match = raw ? query.query : matchOf(terms)
  const isOneSide = filters.role === 'user' || filters.role === 'assistant'
  try {
    const { found, isPartial } = findCandidates(
      sql,
      raw ? match : terms,
      conditionOf(filters, nowMs),
      {
        limit: isOneSide ? Math.max(limit, ROLE_CANDIDATES) : limit * COPIES,
        nowMs,
      },
    )
    // What a fork has copied is found once, where it was said: of equals the one that was indexed first.
    const once = new Map<string, Hit>()
    for (const candidate of found) {
      const key = placeOf(sql, candidate)
      if (once.size >= limit && !once.has(key)) continue
      const hit = toHit(sql, candidate, { match, terms, role: filters.role })
      if (hit !== undefined) once.set(key, hit)
    }
    const hits = [...once.values()]
    return { hits, isPartial, suggestions: hits.length > 0 ? [] : suggest(sql, terms) }
  } catch (cause) {
    throw raw ? explained(cause) : cause
  }
}

/** So many times as many are looked at, for each may have been copied. */
const COPIES = 3

/** The same for a turn and for its copy in a fork; other things are of their session alone. */
function placeOf(sql: Sql, { id, sessionKey, turn, source }: Candidate): string {
  if (turn < 0) return String(id)
  const row = sql(
    `SELECT t.event_id AS event FROM reprise_cursors c JOIN reprise_turns t ON t.session_id = c.session_id
     WHERE c.key = ? AND t.turn_index = ?`,
  ).get(sessionKey, turn)
  return row === undefined ? String(id) : `${String(row.event)} ${source}`
}

type SessionRow = {
  readonly id: SessionId
  readonly name: string | null
  readonly repository: string | null
  readonly branch: string | null
}

function toHit(
  sql: Sql,
  candidate: Candidate,
  { match, terms, role }: { match: string; terms: readonly Term[]; role: Role | undefined },
): Hit | undefined {
  const shown = showMatch(sql, candidate, match, terms, role)
  const session = sql(
    `SELECT s.id, coalesce(o.name, s.summary) AS name, s.repository, s.branch
     FROM reprise_cursors c JOIN sessions s ON s.id = c.session_id
     LEFT JOIN reprise_sessions o ON o.session_id = s.id WHERE c.key = ?`,
  ).get(candidate.sessionKey) as SessionRow | undefined
  if (shown === undefined || session === undefined) return undefined
  const { id, name, repository, branch } = session
  return {
    sessionId: id,
    name: name ?? '',
    ...(repository !== null && { repository }),
    ...(branch !== null && { branch }),
    ...(candidate.turn >= 0 && { turn: candidate.turn }),
    role: shown.role,
    source: candidate.source,
    at: new Date(candidate.atMs).toISOString(),
    snippet: shown.snippet,
    score: candidate.score,
  }
}

/** Undefined when the match is not on the side that was asked for. */
function showMatch(
  sql: Sql,
  { id, source, border }: Candidate,
  match: string,
  terms: readonly Term[],
  wanted: Role | undefined,
): { role: Role; snippet: Snippet } | undefined {
  // A number is bound as REAL, and beside a MATCH FTS5 does not look at a rowid that is no INTEGER.
  const row = sql(
    `SELECT highlight(search_index, 0, char(1), char(2)) AS marked FROM search_index
     WHERE search_index MATCH ? AND rowid = CAST(? AS INTEGER)`,
  ).get(match, id)
  const { text, ranges } = readMarks(String(row?.marked ?? ''))
  const all = ranges.length > 0 ? ranges : findPieces(text, terms)
  if (source !== 'turn') return { role: roleOf(source), snippet: snippetOf(text, all) }
  const user = all.filter(({ start }) => start < border)
  const assistant = all.filter(({ start }) => start >= border)
  const role = wanted ?? (user.length > 0 || assistant.length === 0 ? 'user' : 'assistant')
  const own = role === 'user' ? user : assistant
  if (own.length === 0 && wanted !== undefined) return undefined
  if (role === 'user') return { role, snippet: snippetOf(text.slice(0, border), own) }
  const from = border + 1
  const moved = own.map(({ start, end }) => ({ start: start - from, end: end - from }))
  return { role: 'assistant', snippet: snippetOf(text.slice(from), moved) }
}

function explained(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('errcode' in cause) || Number(cause.errcode) !== 1)
    return cause
  const message = cause.message.replace(/^fts5: /, '')
  return new BadQuery(`The expression is not one that FTS5 understands: ${message}.`, { cause })
}

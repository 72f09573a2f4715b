/** Searches everything that was said and done, best first, and shows where. */
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../format/ids.ts'
import { MANY, countUpTo, findCandidates, type Candidate } from './candidates.ts'
import { conditionOf, roleOf, type Filters, type Role } from './filters.ts'
import { BadQuery, matchOf, parseQuery, type Term } from './query.ts'
import { findPieces, readMarks, snippetOf, type Snippet } from './snippet.ts'
import { sqlOf, type Sql } from './sql.ts'
import { suggest, type Suggestion } from './suggest.ts'
import { FIELD_WEIGHTS, isDull } from './weights.ts'

export type SearchQuery = {
  readonly query: string
  readonly filters?: Filters
  readonly limit?: number
  /** The query is an expression of SQLite's FTS5, as it is. */
  readonly raw?: boolean
  readonly now?: Date
  /** Each hit says why it stands where it does. */
  readonly explain?: boolean
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
  readonly explained?: Explained
}

/** What was multiplied for the words, and the places in both lists. */
export type Explained = {
  readonly words?: {
    readonly rank: number
    readonly weight: number
    readonly recency: number
    readonly field: number
  }
  readonly meaning?: { readonly rank: number; readonly similarity: number; readonly of: string }
  readonly fused?: number
}

export type SearchResult = {
  readonly hits: readonly Hit[]
  /** Only the newest of the fitting documents were looked at. */
  readonly isPartial: boolean
  readonly suggestions: readonly Suggestion[]
  /** Nothing has all of the words; these have some of them. */
  readonly isLoose?: boolean
  /** It was looked for by meaning, too: sessions that have no vector yet, or why it could not be. */
  readonly meaning?: { readonly model: string; readonly missing?: number; readonly failed?: string }
}

export const DEFAULT_LIMIT = 20
const MAX_LIMIT = 500
/** Who speaks in a turn is seen only in its text: so many are looked at for one side's words. */
const ROLE_CANDIDATES = 500

export function search(db: DatabaseSync, query: SearchQuery): SearchResult {
  const sql = sqlOf(db)
  const { raw = false } = query
  const terms = raw ? [] : parseQuery(query.query)
  try {
    const strict = find(sql, query, terms, raw ? query.query : matchOf(terms))
    if (strict.hits.length > 0 || raw) return { ...strict, suggestions: [] }
    const some = terms.length < QUESTION_WORDS ? [] : tellingTerms(sql, terms)
    const loose =
      some.length < 2 ? strict : find(sql, query, some, some.map(({ match }) => match).join(' OR '))
    return { ...loose, isLoose: loose.hits.length > 0, suggestions: suggest(sql, terms) }
  } catch (cause) {
    throw raw ? explained(cause) : cause
  }
}

/** From so many words on it is a question: that all of them stand in one place is more than can be asked. */
const QUESTION_WORDS = 4

/** What only holds a sentence together, or is in too many documents, tells nothing. */
const tellingTerms = (sql: Sql, terms: readonly Term[]): readonly Term[] =>
  terms.filter(
    ({ text, match }) => !isDull(text.toLowerCase()) && countUpTo(sql, match, MANY) < MANY,
  )

function find(
  sql: Sql,
  { filters = {}, explain = false, now = new Date(), ...query }: SearchQuery,
  terms: readonly Term[],
  match: string,
): Pick<SearchResult, 'hits' | 'isPartial'> {
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT)
  const nowMs = now.getTime()
  const isOneSide = filters.role === 'user' || filters.role === 'assistant'
  const { found, isPartial, isWeighed } = findCandidates(
    sql,
    terms.length === 0 ? match : terms,
    conditionOf(filters, nowMs),
    { limit: isOneSide ? Math.max(limit, ROLE_CANDIDATES) : limit * COPIES, nowMs, match },
  )
  // What a fork has copied is found once, where it was said: of equals the one that was indexed first.
  const once = new Map<string, Hit>()
  for (const candidate of found) {
    const key = placeOf(sql, candidate)
    if (once.size >= limit && !once.has(key)) continue
    const hit = toHit(sql, candidate, { match, terms, role: filters.role, isWeighed })
    if (hit !== undefined) once.set(key, hit)
  }
  const hits = [...once.values()].sort((a, b) => b.score - a.score)
  return { isPartial, hits: explain ? hits.map(withRank) : hits.map(withoutWords) }
}

const withRank = (hit: Hit, at: number): Hit => ({
  ...hit,
  explained: { words: { weight: 0, recency: 0, field: 0, ...hit.explained?.words, rank: at + 1 } },
})

const withoutWords = ({ explained: _explained, ...hit }: Hit): Hit => hit

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

type Showing = {
  readonly match: string
  readonly terms: readonly Term[]
  readonly role: Role | undefined
  readonly isWeighed: boolean
}

function toHit(
  sql: Sql,
  candidate: Candidate,
  { match, terms, role, isWeighed }: Showing,
): Hit | undefined {
  const shown = showMatch(sql, candidate, match, terms, role)
  const session = sql(
    `SELECT s.id, coalesce(o.name, s.summary) AS name, s.repository, s.branch
     FROM reprise_cursors c JOIN sessions s ON s.id = c.session_id
     LEFT JOIN reprise_sessions o ON o.session_id = s.id WHERE c.key = ?`,
  ).get(candidate.sessionKey) as SessionRow | undefined
  if (shown === undefined || session === undefined) return undefined
  const { id, name, repository, branch } = session
  const { weight, recency } = candidate
  const isPrompt = isWeighed && candidate.source === 'turn' && shown.role === 'user'
  const field = isPrompt ? FIELD_WEIGHTS.prompt : candidate.field
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
    score: weight * recency * field,
    explained: { words: { rank: 0, weight, recency, field } },
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

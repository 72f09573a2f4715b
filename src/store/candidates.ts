/**
 * The documents that fit, best first. Words that are rare enough are weighed by bm25; where one is in too many
 * documents for that, the newest of them are taken: their order then says more than the weight of a word that
 * is everywhere. Either way the work is bounded, however large the store.
 */
import { matchOf, type Term } from './query.ts'
import type { Condition } from './filters.ts'
import type { Sql } from './sql.ts'
import { FIELD_WEIGHTS } from './weights.ts'

export type Candidate = {
  readonly id: number
  readonly sessionKey: number
  readonly turn: number
  readonly source: string
  readonly atMs: number
  readonly border: number
  /** By how rare the words are; 1 where only their age counts. */
  readonly weight: number
  /** From 2 for what was said now, down to 1. */
  readonly recency: number
  readonly field: number
  /** All three. */
  readonly score: number
}

type Candidates = {
  readonly found: readonly Candidate[]
  /** Only the newest of the fitting documents were looked at. */
  readonly isPartial: boolean
  /** Ordered by how rare the words are, not by age alone. */
  readonly isWeighed: boolean
}

/** Counting further would cost as much as the search itself. */
export const MANY = 10_000
/** How far back it is looked for documents that also pass the filters. */
const NEWEST = 10_000

type Looking = { readonly limit: number; readonly nowMs: number; readonly match?: string }

export function findCandidates(
  sql: Sql,
  terms: readonly Term[] | string,
  condition: Condition,
  { limit, nowMs, match = typeof terms === 'string' ? terms : matchOf(terms) }: Looking,
): Candidates {
  const each = typeof terms === 'string' ? [terms] : terms.map((term) => term.match)
  if (each.every((one) => countUpTo(sql, one, MANY) < MANY)) {
    const rows = sql(ranked(WEIGHED, condition)).all(nowMs, match, ...condition.values, limit)
    return { found: rows as Candidate[], isPartial: false, isWeighed: true }
  }
  const rows = sql(ranked(RECENT, condition)).all(nowMs, match, ...condition.values, limit)
  const isPartial = countUpTo(sql, match, NEWEST) >= NEWEST
  return { found: rows as Candidate[], isPartial, isWeighed: false }
}

export function countUpTo(sql: Sql, match: string, most: number): number {
  const row = sql(
    `SELECT count(*) AS count FROM (SELECT 1 FROM search_index WHERE search_index MATCH ? LIMIT ${most})`,
  ).get(match)
  return Number(row?.count ?? 0)
}

/** What was said counts more than the pieces of names in it. */
const WEIGHED =
  'SELECT rowid AS id, -bm25(search_index, 1.0, 0, 0, 0, 0.4) AS weight FROM search_index WHERE search_index MATCH ?'
const RECENT = `SELECT rowid AS id, 1.0 AS weight FROM search_index WHERE search_index MATCH ?
  ORDER BY rowid DESC LIMIT ${NEWEST}`

/** A month halves what a document gains by being new. */
const ranked = (fitting: string, { sql }: Condition): string => `
  SELECT *, weight * recency * field AS score FROM (
    SELECT d.id, d.session_key AS sessionKey, d.turn_index AS turn, d.source, d.at_ms AS atMs, d.border, m.weight,
      (1 + 1 / (1 + max(0, ? - d.at_ms) / 2592000000.0)) AS recency,
      CASE substr(d.source, 1, 4) WHEN 'name' THEN ${FIELD_WEIGHTS.name} WHEN 'chec' THEN ${FIELD_WEIGHTS.checkpoint}
        WHEN 'tool' THEN ${FIELD_WEIGHTS.tool} ELSE ${FIELD_WEIGHTS.other} END AS field
    FROM (${fitting}) m JOIN reprise_documents d ON d.id = m.id WHERE ${sql}
  ) ORDER BY score DESC, id DESC LIMIT ?`

/** Words of the store that are nearly the ones that found nothing. Looks no longer than a moment. */
import { performance } from 'node:perf_hooks'
import { distanceOf } from '../lib/nearest.ts'
import { countUpTo } from './candidates.ts'
import type { Term } from './query.ts'
import type { Sql } from './sql.ts'

const BUDGET_MS = 60
const MOST = 3

export type Suggestion = { readonly word: string; readonly instead: readonly string[] }

export function suggest(sql: Sql, terms: readonly Term[]): Suggestion[] {
  const until = performance.now() + BUDGET_MS
  return terms.flatMap(({ text, match, prefix }): Suggestion[] => {
    const word = folded(text)
    if (prefix || word.length < 3 || !/^[\p{L}\p{N}]+$/u.test(word)) return []
    if (countUpTo(sql, match, 1) > 0) return []
    const instead = nearest(sql, word, until)
    return instead.length === 0 ? [] : [{ word: text, instead }]
  })
}

type Near = { readonly term: string; readonly distance: number; readonly count: number }

/** Few mistype the first two letters; those who do are answered if there is time left. */
function nearest(sql: Sql, word: string, until: number): string[] {
  const most = word.length <= 4 ? 1 : 2
  const near: Near[] = []
  for (const beginning of [word.slice(0, 2), word.slice(0, 1)]) {
    const after = `${beginning}\u{10ffff}`
    const rows = sql('SELECT term, doc FROM reprise_words WHERE term >= ? AND term < ?')
    for (const { term, doc } of rows.iterate(beginning, after)) {
      const candidate = String(term)
      const distance = distanceOf(word, candidate, most)
      if (distance <= most) near.push({ term: candidate, distance, count: Number(doc) })
      if (performance.now() > until) break
    }
    if (near.length > 0) break
  }
  return near
    .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, MOST)
    .map(({ term }) => term)
}

const folded = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

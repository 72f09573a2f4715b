/**
 * The store of Mission Control over the sessions of all machines, asked in the words of the one of a home. It has the same
 * tables; `sessions.cwd` is always NULL there, and `sessions.person` with their name, `sessions.machine` and a table
 * `events` come on top.
 */
import type { QueryResult } from './query/query.ts'
import type { SearchQuery, SearchResult } from './search.ts'

/** Whose sessions: one's own, or what is shared with the team. */
export type FarAudience = 'mine' | 'team'

/** What Mission Control has and its store has not read yet. */
export type FarBehind = { readonly sessions: number; readonly events: number }
type Answer<T> = T & { readonly behind: FarBehind }

type FarReport = {
  readonly markdown: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface FarStore {
  search(of: FarAudience, query: SearchQuery): Promise<Answer<SearchResult>>
  sql(
    of: FarAudience,
    query: {
      readonly sql: string
      readonly repository?: string | undefined
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<Answer<QueryResult>>
  schema(): Promise<readonly { readonly name: string; readonly sql: string }[]>
  report(
    of: FarAudience,
    kind: string,
    wish: { readonly since?: string | undefined; readonly repo?: string | undefined },
  ): Promise<Answer<FarReport>>
}

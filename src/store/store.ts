/**
 * The session store: everything that was said and done in all sessions, to be searched. Derived from the
 * logs and disposable; nothing that goes wrong here reaches a session.
 */
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { StoreUnavailable, connect, type ConnectionOptions } from './connection.ts'
import { createFollower, type Follower } from './follow.ts'
import type { NewEntry } from './board-rules.ts'
import type { ReindexOptions, Reindexed } from './rebuild.ts'
import type { SearchQuery, SearchResult } from './search.ts'
import { sqlOf } from './sql.ts'
import { looksStale } from './stamps.ts'
import { defined } from '../lib/defined.ts'
import type { Embedder } from './embeddings/embedder.ts'
import type { Kept } from './embeddings/keep.ts'

export type StoreOptions = ConnectionOptions & {
  /** Takes secrets out of a text before it is indexed. */
  readonly redact?: (text: string) => string
  readonly startReader?: NonNullable<ReindexOptions['startReader']>
  readonly knownStamps?: NonNullable<ReindexOptions['knownStamps']>
  /** Makes vectors of texts, where the user has named an endpoint for it; asked for by a search, never before. */
  readonly embedder?: () => Promise<Embedder | undefined>
}

export interface Store {
  /** What keeps the store live: a writer of a session tells it. */
  readonly follower: Follower
  /** Throws `StoreUnavailable` when there is nothing to search in now, `BadQuery` when it cannot be searched for. */
  search(query: SearchQuery): Promise<SearchResult>
  reindex(options?: ReindexOptions): Promise<Reindexed>
  /** Makes the vectors that are missing; undefined when no endpoint is named for it. Throws `NoEmbedding`. */
  keepVectors(options?: {
    readonly signal?: AbortSignal | undefined
    readonly onProgress?: (done: number, total: number) => void
  }): Promise<Kept | undefined>
  /** A cheap look at whether sessions changed without being indexed. False when there is no store at all. */
  isStale(): Promise<boolean>
  /** Catches up when it looks stale, as any process may do in the background; undefined when it did nothing. */
  catchUp(options?: ReindexOptions): Promise<Reindexed | undefined>
  /** What a session learned that the next ones should know; undefined when the store does not know it. */
  learned(id: string): Promise<readonly NewEntry[] | undefined>
  /** The sessions that something happened in since then, the last one first. */
  changedSince(time: Date, most: number): Promise<readonly string[]>
  /** How many turns these sessions have, as far as they are indexed. */
  turnCounts(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** No word of these sessions is left in the files of the store; those that are still there are read anew. */
  erase(ids: readonly SessionId[]): Promise<void>
  /** The database file. Undefined when the store is in memory. */
  path(): Promise<string | undefined>
  close(): Promise<void>
}

export function createStore(fs: SessionFs, options: StoreOptions): Store {
  const connection = connect(fs, options)
  const { redact, startReader, knownStamps, onTrouble } = options
  const own = redact === undefined ? {} : { redact }
  const follower = createFollower({ connection, fs, ...own, ...defined({ onTrouble }) })

  const store: Store = {
    follower,
    async search(query) {
      const { search } = await import('./search.ts')
      const byWords = await connection.use((db) => search(db, query))
      const embedder = await options.embedder?.()
      if (embedder === undefined) return byWords
      const { withMeaning } = await import('./embeddings/with-meaning.ts')
      return withMeaning(connection, query, byWords, embedder)
    },
    async keepVectors(given) {
      const embedder = await options.embedder?.()
      if (embedder === undefined) return undefined
      const { keepVectors } = await import('./embeddings/keep.ts')
      return keepVectors(connection, embedder, given)
    },
    async reindex(given = {}) {
      const { reindex } = await import('./rebuild.ts')
      return reindex(connection, fs, { ...own, ...defined({ startReader, knownStamps }), ...given })
    },
    async isStale() {
      try {
        return await connection.use((db) => looksStale(fs, sqlOf(db)))
      } catch (cause) {
        if (cause instanceof StoreUnavailable) return false
        throw cause
      }
    },
    async catchUp(given) {
      try {
        return (await store.isStale())
          ? await store.reindex({ inBackground: true, ...given })
          : undefined
      } catch (cause) {
        if (cause instanceof StoreUnavailable) return undefined
        throw cause
      }
    },
    async learned(id) {
      const { proposeEntries, readSessionRows } = await import('./propose-entries.ts')
      const rows = await connection.use((db) => readSessionRows(sqlOf(db), id))
      return rows && proposeEntries(rows)
    },
    changedSince: (time, most) =>
      connection.use((db) =>
        sqlOf(db)(
          `SELECT session_id AS id FROM reprise_cursors WHERE last_event_at >= ?
           ORDER BY last_event_at DESC LIMIT ?`,
        )
          .all(time.toISOString(), most)
          .map(({ id }) => String(id)),
      ),
    turnCounts: (ids) =>
      connection.use((db) => {
        const counts = sqlOf(db)(
          `SELECT session_id AS id, count(*) AS turns FROM reprise_turns
           WHERE session_id IN (SELECT value FROM json_each(?)) GROUP BY session_id`,
        ).all(JSON.stringify(ids))
        return new Map(counts.map(({ id, turns }) => [String(id), Number(turns)]))
      }),
    async erase(ids) {
      await follower.settled()
      const { erase } = await import('./erase.ts')
      await erase(connection, fs, ids, options)
      for (const id of ids) follower.changed(id)
      await follower.settled()
    },
    path: () => connection.path(),
    async close() {
      await follower.settled()
      follower.close()
      connection.close()
    },
  }
  return store
}

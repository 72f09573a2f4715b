/**
 * Brings the whole store up to the logs. Only what changed is read, the cost follows the bytes that are new,
 * and every batch is a transaction of its own: stopped at any point, the next run goes on from there.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { createBreather } from '../lib/yield-loop.ts'
import { NO_RECORD, createBatch, type Batch } from './batch.ts'
import type { Connection } from './connection.ts'
import { mergeDeleted } from './merge.ts'
import { dropDerived } from './migrations.ts'
import { CHECKPOINT_PAGES } from './open-store.ts'
import { forget } from './store-position.ts'
import type { Portion } from './reads.ts'
import { secondThread, type SecondThread } from './second-thread.ts'
import { sqlOf, type Sql } from './sql.ts'
import {
  compareStamps,
  findSessions,
  keepHomeStamp,
  listSessions,
  type StampedSession,
} from './stamps.ts'
import { inTransaction } from './transaction.ts'
import { unusableAmong } from '../workspace/folder-faults.ts'

export type ReindexOptions = {
  /** Everything is dropped and read again. */
  readonly force?: boolean
  /** For a process that serves others meanwhile: it takes longer and lets them in more often. */
  readonly inBackground?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly redact?: (text: string) => string
  /** Starts a thread that serves reads of the same logs with the same redaction; undefined when it cannot. */
  readonly startReader?: () => Worker | undefined
  /** What is known of all sessions without a look at each, the oldest first; undefined when nothing is. */
  readonly knownStamps?: () => Promise<readonly StampedSession[] | undefined>
}

type Progress = { readonly done: number; readonly total: number }

export type Reindexed = {
  readonly indexed: number
  /** Unchanged since they were last indexed. */
  readonly skipped: number
  /** Sessions that are no longer there. */
  readonly removed: number
  readonly failed: readonly { readonly id: SessionId; readonly reason: string }[]
  /** False when it was stopped before its end. */
  readonly finished: boolean
}

export async function reindex(
  connection: Connection,
  fs: SessionFs,
  options: ReindexOptions = {},
): Promise<Reindexed> {
  const sinceMs = Date.now()
  const told = options.force === true ? undefined : await options.knownStamps?.()
  // A person who asks is told of every session that is left out.
  const needsAll = told === undefined || options.inBackground !== true
  const ids = needsAll ? await listSessions(fs) : []
  return connection.use(async (db) => {
    const sql = sqlOf(db)
    if (options.force === true) inTransaction(db, () => dropDerived(db))
    await using second = secondThread(options.startReader)
    // It loads what it needs while this thread looks at the folders.
    const count = told?.length ?? ids.length
    if (count - countKnown(sql) >= SURELY_WORTH_A_THREAD) second.start()
    const found = told ?? (await findSessions(fs, ids))
    const here = new Map<string, StampedSession>(found.map((session) => [session.id, session]))
    const { same, gone: missing } = compareStamps(sql, here)
    // What is indexed of a session that only cannot be entered now stays.
    const closed = await unusableAmong(fs, needsAll ? others(ids, here) : missing)
    const isClosed = new Set<string>(closed.map(({ id }) => id))
    const gone = missing.filter((id) => !isClosed.has(id))
    removeGone(db, sql, gone)
    const todo = found.filter((session) => !same.has(session))
    const known = knownAmong(sql, todo)
    // What could not be indexed is told each time until it can be, without a look at what has not changed.
    const stillFailed = stampedOnly(sql).flatMap((id) => {
      const session = here.get(id)
      return session && same.has(session) ? [{ id: session.id, reason: NO_RECORD }] : []
    })
    const skipped = found.length - todo.length - stillFailed.length
    using _usual = bulkLoadPragmas(db)
    const batch = createBatch(db, todo, { sinceMs, isGentle: options.inBackground === true })
    const breathe = options.inBackground === true ? createBreather(() => false) : () => nextRound()
    const tell = () => options.onProgress?.({ done: batch.ended.size, total: todo.length })
    for await (const portion of readAll(fs, sql, { todo, known, batch, second }, options)) {
      if (options.signal?.aborted === true) break
      batch.add(portion)
      if (!batch.isDue()) continue
      batch.write()
      tell()
      await breathe()
    }
    batch.write()
    tell()
    await mergeDeleted(db, options.signal)
    const failures = batch.failures()
    const finished = batch.ended.size === todo.length
    if (finished && failures.length === 0) await keepHomeStamp(fs, sql, sinceMs)
    const indexed = batch.ended.size - failures.length
    return {
      indexed,
      skipped,
      removed: gone.length,
      failed: [...closed, ...stillFailed, ...failures],
      finished,
    }
  })
}

const others = (ids: readonly SessionId[], here: ReadonlyMap<string, unknown>): SessionId[] =>
  ids.filter((id) => !here.has(id))

/**
 * Every row is written behind the session that it refers to; to look for it each time is a tenth of the work. And
 * pages that will be written again are carried over less often: the write-ahead log stays below 64 MiB all the same.
 */
function bulkLoadPragmas(db: DatabaseSync): Disposable {
  db.exec('PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 4000')
  return {
    [Symbol.dispose]: () =>
      db.exec(`PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`),
  }
}

/** Less than so many bytes are read sooner than a thread is started. */
const WORTH_A_THREAD = 4 * 1024 * 1024
/** So many new sessions are more than that, whatever they hold. */
const SURELY_WORTH_A_THREAD = 1000

type Work = {
  readonly todo: readonly StampedSession[]
  readonly known: ReadonlySet<string>
  readonly batch: Batch
  readonly second: SecondThread
}

/** New sessions first: of the others, which are few, the store has to be asked where they are. */
async function* readAll(
  fs: SessionFs,
  sql: Sql,
  { todo, known, batch, second }: Work,
  options: ReindexOptions,
): AsyncGenerator<Portion, void, void> {
  if (todo.length === 0) return
  // Reading a log needs every schema; a look that finds nothing new does without them.
  const [{ portionOf, readFirst, readOn }, { readWithThread }] = await Promise.all([
    import('./reads.ts'),
    import('./reading-thread.ts'),
  ])
  const fresh = todo.filter(({ id }) => !known.has(id))
  const bytes = fresh.reduce((sum, { logSize }) => sum + logSize, 0)
  const thread = bytes < WORTH_A_THREAD ? undefined : second.start()
  if (thread !== undefined) yield* readWithThread(thread, fs, fresh, options)
  else for await (const read of readFirst(fs, fresh, options)) yield portionOf(read)
  // Among those that are left may be some that a thread did not come to the end of.
  batch.write()
  const left = todo.filter(({ id }) => !batch.ended.has(id))
  for await (const read of readOn(fs, sql, left, options)) yield portionOf(read)
}

const countKnown = (sql: Sql): number =>
  Number(sql('SELECT count(*) AS count FROM reprise_cursors').get()?.count ?? 0)

/** Which of these the store has something of. */
function knownAmong(sql: Sql, sessions: readonly StampedSession[]): Set<string> {
  const one = sql('SELECT 1 FROM reprise_cursors WHERE session_id = ?')
  return new Set(sessions.flatMap(({ id }) => (one.get(id) === undefined ? [] : [id])))
}

/** Sessions that were looked at and of which the store has nothing. */
const stampedOnly = (sql: Sql): string[] =>
  sql('SELECT session_id AS id FROM reprise_stamps EXCEPT SELECT session_id FROM reprise_cursors')
    .all()
    .map(({ id }) => String(id))

const FORGOTTEN_AT_ONCE = 2000

function removeGone(db: DatabaseSync, sql: Sql, gone: readonly SessionId[]): void {
  for (let at = 0; at < gone.length; at += FORGOTTEN_AT_ONCE) {
    const some = gone.slice(at, at + FORGOTTEN_AT_ONCE)
    inTransaction(db, () => some.forEach((id) => forget(sql, id)))
  }
}

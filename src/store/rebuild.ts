/**
 * Brings the whole store up to the logs. Only what changed is read, the cost follows the bytes that are new,
 * and every batch is a transaction of its own: stopped at any point, the next run goes on from there.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextRound } from 'node:timers/promises'
import { isSessionId } from '../format/ids.ts'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { applyChanges } from './apply.ts'
import { stepsFor } from './catch-up.ts'
import type { Step } from './catch-up.ts'
import type { Connection } from './connection.ts'
import { emptySearch } from './migrations.ts'
import { forget } from './places.ts'
import { sqlOf } from './sql.ts'
import type { Sql } from './sql.ts'
import { findSessions, keepHomeStamp, keepStamp, readStamps, stillHolds } from './stamps.ts'
import type { Found } from './stamps.ts'
import { inTransaction } from './transaction.ts'

export type ReindexOptions = {
  /** Everything is dropped and read again. */
  readonly force?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly redact?: (text: string) => string
}

export type Progress = { readonly done: number; readonly total: number }

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

/** In one transaction: few enough to hold, many enough that a commit costs nothing. */
const BATCH_WEIGHT = 8 * 1024 * 1024
const BATCH_SESSIONS = 2000

export async function reindex(
  connection: Connection,
  fs: SessionFs,
  options: ReindexOptions = {},
): Promise<Reindexed> {
  const sinceMs = Date.now()
  const found = await findSessions(fs)
  return connection.use(async (db) => {
    const sql = sqlOf(db)
    if (options.force === true) inTransaction(db, () => dropAll(db, sql))
    const removed = removeGone(db, sql, found)
    const stamps = readStamps(sql)
    const todo = found.filter((session) => !stillHolds(stamps.get(session.id), session))
    const skipped = found.length - todo.length
    const batch = createBatch(db, sql, sinceMs)
    const failed: { id: SessionId; reason: string }[] = []
    let done = 0
    for (const session of todo) {
      if (options.signal?.aborted === true) break
      const reason = await indexOne(fs, sql, session, options, batch)
      if (reason !== undefined) failed.push({ id: session.id, reason })
      done += 1
      if (!batch.isDue()) continue
      batch.write()
      options.onProgress?.({ done, total: todo.length })
      await nextRound()
    }
    batch.write()
    options.onProgress?.({ done, total: todo.length })
    failed.push(...batch.misfits())
    const finished = done === todo.length
    if (finished && failed.length === 0) await keepHomeStamp(fs, sql, sinceMs)
    return { indexed: done - failed.length, skipped, removed, failed, finished }
  })
}

/** The reason when it failed. One session that cannot be read does not keep the others out. */
async function indexOne(
  fs: SessionFs,
  sql: Sql,
  session: Found,
  options: ReindexOptions,
  batch: Batch,
): Promise<string | undefined> {
  const { id } = session
  let hasArtifacts = false
  let steps = 0
  try {
    for await (const step of stepsFor(fs, sql, id, options)) {
      steps += 1
      hasArtifacts = step.facts.artifacts.length > 0
      batch.add(step)
      if (batch.isDue()) batch.write()
    }
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause) throw cause
    return cause instanceof Error ? cause.message : String(cause)
  }
  if (options.signal?.aborted === true) return undefined
  batch.end(session, { hasArtifacts, isEmpty: steps === 0 })
  return steps === 0 ? 'its log holds no record that can be read' : undefined
}

interface Batch {
  add(step: Step): void
  end(session: Found, facts: { hasArtifacts: boolean; isEmpty: boolean }): void
  isDue(): boolean
  write(): void
  misfits(): { id: SessionId; reason: string }[]
}

function createBatch(db: DatabaseSync, sql: Sql, sinceMs: number): Batch {
  const misfits = new Set<SessionId>()
  let writes: (() => void)[] = []
  let weight = 0
  let sessions = 0
  return {
    add({ changes, facts, weight: own }) {
      weight += own
      writes.push(() => {
        if (!applyChanges(sql, changes, facts)) misfits.add(changes.id)
      })
    },
    end(session, { hasArtifacts, isEmpty }) {
      sessions += 1
      writes.push(() => {
        if (misfits.has(session.id)) return
        if (isEmpty) forget(sql, session.id)
        keepStamp(sql, session, { hasArtifacts, sinceMs })
      })
    },
    isDue: () => weight >= BATCH_WEIGHT || sessions >= BATCH_SESSIONS,
    write() {
      const due = writes
      writes = []
      weight = 0
      sessions = 0
      if (due.length > 0) inTransaction(db, () => due.forEach((write) => write()))
    },
    // Whoever moved the cursor is reading the same log: nothing is missing, and the next run sees to it.
    misfits: () =>
      Array.from(misfits, (id) => ({ id, reason: 'another process is indexing it now' })),
  }
}

function removeGone(db: DatabaseSync, sql: Sql, found: readonly Found[]): number {
  const here = new Set<string>(found.map(({ id }) => id))
  const gone = sql('SELECT session_id AS id FROM reprise_cursors')
    .all()
    .map(({ id }) => String(id))
    .filter((id) => isSessionId(id) && !here.has(id)) as SessionId[]
  for (let at = 0; at < gone.length; at += BATCH_SESSIONS) {
    const some = gone.slice(at, at + BATCH_SESSIONS)
    inTransaction(db, () => some.forEach((id) => forget(sql, id)))
  }
  return gone.length
}

/** The context board is not made from logs, and stays. */
function dropAll(db: DatabaseSync, sql: Sql): void {
  emptySearch(db)
  for (const table of DERIVED) sql(`DELETE FROM ${table}`).run()
}

const DERIVED = [
  'reprise_documents',
  'reprise_artifacts',
  'reprise_tool_calls',
  'reprise_turns',
  'reprise_sessions',
  'reprise_cursors',
  'reprise_stamps',
  'reprise_home',
  'assistant_usage_events',
  'session_refs',
  'session_files',
  'checkpoints',
  'turns',
  'sessions',
]

/** What was read of many sessions, gathered and written in one transaction. Keeps how it went for each of them. */
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../format/ids.ts'
import { applyChanges } from './apply.ts'
import { forget } from './places.ts'
import type { Read } from './reads.ts'
import { sqlOf } from './sql.ts'
import { keepStamp } from './stamps.ts'
import type { Found } from './stamps.ts'
import { inTransaction } from './transaction.ts'

export type Failure = { readonly id: SessionId; readonly reason: string }

export interface Batch {
  add(read: Read): void
  isDue(): boolean
  write(): void
  /** Sessions that were read to their end, or cannot be. */
  readonly ended: ReadonlySet<SessionId>
  failures(): readonly Failure[]
}

/** In one transaction: few enough to hold, many enough that a commit costs nothing. */
const BATCH_WEIGHT = 8 * 1024 * 1024
/** Towards the end less: what is written when everything has been read is written by one thread alone. */
const LAST_WEIGHT = 1024 * 1024

/** `sinceMs` is a time before the sessions were found. */
export function createBatch(db: DatabaseSync, found: readonly Found[], sinceMs: number): Batch {
  const sql = sqlOf(db)
  const foundById = new Map(found.map((session) => [session.id, session]))
  const ended = new Set<SessionId>()
  const failures = new Map<SessionId, string>()
  let reads: Read[] = []
  let weight = 0
  let leftBytes = found.reduce((sum, { logSize }) => sum + logSize, 0)

  function write(read: Read): void {
    if (read.kind === 'step') {
      const { changes, facts } = read.step
      if (!applyChanges(sql, changes, facts)) failures.set(changes.id, MOVED)
      return
    }
    const { id } = read
    const session = foundById.get(id)
    ended.add(id)
    if (read.kind === 'failed') failures.set(id, read.reason)
    if (read.kind === 'failed' || session === undefined || failures.has(id)) return
    if (read.isEmpty) {
      forget(sql, id)
      failures.set(id, NO_RECORD)
    }
    keepStamp(sql, session, { hasArtifacts: read.hasArtifacts, sinceMs })
  }

  return {
    ended,
    add(read) {
      reads.push(read)
      weight += read.weight
      if (read.kind !== 'step') leftBytes -= foundById.get(read.id)?.logSize ?? 0
    },
    isDue: () => weight >= Math.max(LAST_WEIGHT, Math.min(BATCH_WEIGHT, leftBytes / 4)),
    write() {
      const due = reads
      reads = []
      weight = 0
      if (due.length > 0) inTransaction(db, () => due.forEach(write))
    },
    failures: () => Array.from(failures, ([id, reason]) => ({ id, reason })),
  }
}

/** Whoever moved the cursor is reading the same log: nothing is missing, and the next run sees to it. */
const MOVED = 'another process is indexing it now'
const NO_RECORD = 'its log holds no record that can be read'

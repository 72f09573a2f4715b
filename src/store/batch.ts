/** What was read of many sessions, gathered and written in one transaction. Keeps how it went for each of them. */
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../format/ids.ts'
import { applyChanges } from './apply.ts'
import { forget } from './store-position.ts'
import type { Portion, Read } from './reads.ts'
import { sqlOf } from './sql.ts'
import { keepStamp, type StampedSession } from './stamps.ts'
import { inTransaction } from './transaction.ts'

type Failure = { readonly id: SessionId; readonly reason: string }

export interface Batch {
  add(portion: Portion): void
  isDue(): boolean
  write(): void
  /** Sessions that were read to their end, or cannot be. */
  readonly ended: ReadonlySet<SessionId>
  failures(): readonly Failure[]
}

/**
 * In one transaction. Sessions come in no order of their names, so that each transaction writes most pages of the
 * indexes again: as many sessions together as can be held.
 */
const BATCH_WEIGHT = 16 * 1024 * 1024
/** Towards the end less: what is written when everything has been read is written by one thread alone. */
const LAST_WEIGHT = 4 * 1024 * 1024
/** A few hundredths of a second: the user of a process that also does this must not feel it. */
const GENTLE_WEIGHT = 256 * 1024

type BatchOptions = {
  /** A time before the sessions were found. */
  readonly sinceMs: number
  readonly isGentle: boolean
}

export function createBatch(
  db: DatabaseSync,
  found: readonly StampedSession[],
  { sinceMs, isGentle }: BatchOptions,
): Batch {
  const sql = sqlOf(db)
  const foundById = new Map(found.map((session) => [session.id, session]))
  const ended = new Set<SessionId>()
  const failures = new Map<SessionId, string>()
  let portions: Portion[] = []
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
    add(portion) {
      portions.push(portion)
      weight += portion.weight
      leftBytes -= portion.logBytes
    },
    isDue: () => {
      if (isGentle) return weight >= GENTLE_WEIGHT
      return weight >= Math.max(LAST_WEIGHT, Math.min(BATCH_WEIGHT, leftBytes / 2))
    },
    write() {
      const due = portions
      portions = []
      weight = 0
      if (due.length === 0) return
      inTransaction(db, () => {
        for (const portion of due) portion.reads().forEach(write)
      })
    },
    failures: () => Array.from(failures, ([id, reason]) => ({ id, reason })),
  }
}

/** The process that moved the cursor is reading the same log: nothing is missing, and the next run sees to it. */
const MOVED = 'another process is indexing it now'
export const NO_RECORD = 'its log holds no record that can be read'

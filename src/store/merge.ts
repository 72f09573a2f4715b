/**
 * Takes deleted words out of the index. FTS marks a word of a deleted row as gone and keeps it until its blocks are
 * merged; its option `secure-delete` takes it out at once, and makes each write of a growing turn twenty times as dear
 * in a store of 20,000 documents. So what deletes counts it, in the same transaction, and the merge follows: at once
 * where something is forgotten for good, in small steps behind an undo. Until it has come to its end the count stays,
 * and the next write goes on with it.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import { emptyLog } from './open-store.ts'
import { sqlOf, type Sql } from './sql.ts'

const NAME = 'unmerged'

/** To be called in the transaction that deletes. */
export function noteDeleted(sql: Sql): void {
  sql(
    `INSERT INTO reprise_home VALUES ('${NAME}', 1)
     ON CONFLICT (name) DO UPDATE SET value = coalesce(value, 0) + 1`,
  ).run()
}

/** False when it was stopped, or when another process reads in the write-ahead log. */
export async function mergeDeleted(db: DatabaseSync, signal?: AbortSignal): Promise<boolean> {
  const sql = sqlOf(db)
  const noted = Number(
    sql(`SELECT value FROM reprise_home WHERE name = '${NAME}'`).get()?.value ?? 0,
  )
  if (noted === 0) return true
  // The first step puts all blocks into one merge, the next ones go on with it.
  for (let pages = -PAGES_AT_ONCE; merge(db, pages); pages = PAGES_AT_ONCE) {
    if (signal?.aborted === true) return false
    await nextRound()
  }
  if (!emptyLog(db)) return false
  // What was deleted meanwhile is merged next time.
  sql(`DELETE FROM reprise_home WHERE name = '${NAME}' AND value = ?`).run(noted)
  return true
}

/** A few milliseconds of work. */
const PAGES_AT_ONCE = 64

/** True while there was something to do: FTS then changes more than the row that asks for it. */
function merge(db: DatabaseSync, pages: number): boolean {
  const changes = () => Number(db.prepare('SELECT total_changes() AS n').get()?.n)
  const before = changes()
  db.prepare("INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)").run(pages)
  return changes() - before >= 2
}

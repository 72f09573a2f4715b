/** All or nothing: plain rows first, then what search finds. Waits for other writers as long as the busy timeout says. */
import type { DatabaseSync } from 'node:sqlite'
import { forgetPending, writePending } from './documents.ts'
import { sqlOf } from './sql.ts'

export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  const sql = sqlOf(db)
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    writePending(sql)
    db.exec('COMMIT')
    return result
  } catch (cause) {
    forgetPending(sql)
    // SQLite has rolled some failures back by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

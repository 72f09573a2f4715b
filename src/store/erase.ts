/**
 * Takes sessions out of the store so that no word of them is left in its files: rows and index entries are overwritten,
 * the write-ahead log is emptied, and what cannot be cleaned (an index that was damaged and set aside, one at a place
 * that is not used any more) is removed whole. All of it is made from the logs, so nothing else is lost by that.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { StoreUnavailable, type Connection } from './connection.ts'
import { isOurs, placesOf, removeDatabase, type DatabaseFileOptions } from './database-file.ts'
import { mergeDeleted } from './merge.ts'
import { emptyLog } from './open-store.ts'
import { forget } from './store-position.ts'
import { sqlOf } from './sql.ts'
import { inTransaction } from './transaction.ts'

export async function erase(
  connection: Connection,
  fs: SessionFs,
  ids: readonly SessionId[],
  options: DatabaseFileOptions,
): Promise<void> {
  const { used, others } = await placesOf(fs, options)
  for (const file of others) if (await isOurs(file)) await removeDatabase(file)
  for (const file of [used, ...others]) await file?.fs.remove(`${file.path}.broken`)
  if (used !== undefined && (await used.fs.stat(used.path)) === undefined) return
  await connection.use(async (db) => {
    const sql = sqlOf(db)
    inTransaction(db, () => ids.forEach((id) => forget(sql, id)))
    await merged(db)
  })
}

const PATIENCE_MS = 10_000

/** Another process may be in the middle of reading. */
async function merged(db: DatabaseSync): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!(await mergeDeleted(db)) || !emptyLog(db)) {
    if (performance.now() > until) {
      throw new StoreUnavailable(
        'Another process reads in the session store and does not stop, so deleted words are still in its write-ahead log.',
      )
    }
    await pause(50)
  }
}

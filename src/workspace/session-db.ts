/**
 * The session's own database, made when it is first asked for. The caller closes it.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { SessionFs } from '../fs/session-fs.ts'
import { loadSqlite } from './load-sqlite.ts'

export const SESSION_DB = 'session.db'

export async function openSessionDb(fs: SessionFs, dir: string): Promise<DatabaseSync> {
  if (fs.backend !== 'disk') {
    throw new Error(
      `A session database needs a disk, and this session lives in "${fs.backend}". Nothing was changed.`,
    )
  }
  const { DatabaseSync } = await loadSqlite()
  const path = `${dir}/${SESSION_DB}`
  // SQLite would make the file readable by all; its -wal and -shm take the mode of the file they find.
  await fs.createExclusive(path, new Uint8Array())
  const db = new DatabaseSync(fs.nativePath(path))
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL;')
  return db
}

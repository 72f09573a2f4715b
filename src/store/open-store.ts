/** Opens the database with the settings that all of the store relies on, and brings it to this version's schema. */
import type { DatabaseSync } from 'node:sqlite'
import { loadSqlite } from '../workspace/load-sqlite.ts'
import { makeFile, type DatabaseFile } from './database-file.ts'
import { APPLICATION_ID, migrate } from './migrations.ts'

export const BUSY_TIMEOUT_MS = 3000

/** A log that nobody shortens grows for as long as somebody reads. */
const WAL_LIMIT_BYTES = 16 * 1024 * 1024

/** Of 8 KiB each: what readers have to look through besides the file stays short. */
export const CHECKPOINT_PAGES = 2000

/** Undefined stands for a database in memory. */
export async function openDatabase(file: DatabaseFile | undefined): Promise<DatabaseSync> {
  // Loaded here: a list or a version number does not pay for SQLite.
  const { DatabaseSync } = await loadSqlite()
  if (file !== undefined) await makeFile(file)
  const db = new DatabaseSync(file?.native ?? ':memory:', { timeout: BUSY_TIMEOUT_MS })
  try {
    mark(db)
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA cache_size = -32768;
    `)
    migrate(db)
    return db
  } catch (cause) {
    db.close()
    throw cause
  }
}

/**
 * Before the file has a write-ahead log: what tells it from others must stand in the file itself, and a size of its
 * pages can be chosen only now. Words are long rows: with pages of 8 KiB they take half as many writes as with 4.
 */
function mark(db: DatabaseSync): void {
  if (Number(db.prepare('PRAGMA page_count').get()?.page_count) === 0) {
    db.exec(`PRAGMA page_size = 8192; PRAGMA application_id = ${APPLICATION_ID}`)
  }
}

/** For a home that cannot be written: what was indexed can still be searched. */
export async function openReadOnly(file: DatabaseFile): Promise<DatabaseSync> {
  const { DatabaseSync } = await loadSqlite()
  return new DatabaseSync(file.native, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
}

/** SQLite's own numbers for what can be wrong. */
export type Trouble = 'busy' | 'damaged' | 'read-only' | 'full' | 'other'

export function troubleOf(error: unknown): Trouble {
  const code =
    error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
  switch (code) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
    case 15: // SQLITE_PROTOCOL
      return 'busy'
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return 'damaged'
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
      return 'read-only'
    case 10: // SQLITE_IOERR
    case 13: // SQLITE_FULL
      return 'full'
    default:
      return isRefused(error) ? 'read-only' : 'other'
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EACCES', 'EROFS', 'EPERM'].includes(String(error.code))

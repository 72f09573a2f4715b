/** Opens the database with the settings that all of the store relies on, and brings it to this version's schema. */
import type { DatabaseSync } from 'node:sqlite'
import { codeOf } from '../fs/fs-error.ts'
import { loadSqlite } from '../workspace/load-sqlite.ts'
import { BUSY_TIMEOUT_MS, makeFile, type DatabaseFile } from './database-file.ts'
import { APPLICATION_ID, migrate, refuseLater } from './migrations.ts'

/** A log that no connection shortens grows for as long as one reads. */
const WAL_LIMIT_BYTES = 16 * 1024 * 1024

/** The pages have 8 KiB each: what readers have to look through besides the file stays short. */
export const CHECKPOINT_PAGES = 2000

/**
 * Undefined stands for a database in memory. What is deleted is overwritten: freed pages are zeroed, and deleted words
 * leave the index when it is merged (merge.ts).
 */
export async function openDatabase(file: DatabaseFile | undefined): Promise<DatabaseSync> {
  // Loaded here: a list or a version number does not pay for SQLite.
  const { DatabaseSync } = await loadSqlite()
  if (file !== undefined) await makeFile(file)
  const db = new DatabaseSync(file?.native ?? ':memory:', { timeout: BUSY_TIMEOUT_MS })
  try {
    refuseLater(db)
    const isNew = mark(db)
    db.exec(`
      PRAGMA secure_delete = ON;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA cache_size = -32768;
    `)
    migrate(db)
    overwriteFreed(db, { isNew })
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
function mark(db: DatabaseSync): boolean {
  const isNew = Number(db.prepare('PRAGMA page_count').get()?.page_count) === 0
  if (isNew) db.exec(`PRAGMA page_size = 8192; PRAGMA application_id = ${APPLICATION_ID}`)
  return isNew
}

/**
 * An earlier version freed pages without overwriting them, and left deleted words in the index: they go once, with the
 * file that held them. While another process is at work in it that waits for the next opening.
 */
function overwriteFreed(db: DatabaseSync, { isNew }: { readonly isNew: boolean }): void {
  if (Number(db.prepare('PRAGMA user_version').get()?.user_version) === FREED_IS_OVERWRITTEN) return
  try {
    if (!isNew) db.exec("INSERT INTO search_index (search_index) VALUES ('optimize'); VACUUM")
    db.exec(`PRAGMA user_version = ${FREED_IS_OVERWRITTEN}`)
    if (!isNew) emptyLog(db)
  } catch (cause) {
    if (troubleOf(cause) === 'damaged') throw cause
    // Locked or full: what can be searched is there all the same.
  }
}

const FREED_IS_OVERWRITTEN = 1

/**
 * Carries the write-ahead log over and empties it: until then it holds pages as they were before a deletion. False when
 * another process reads in it for longer than the busy timeout.
 */
export function emptyLog(db: DatabaseSync): boolean {
  return Number(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy) === 0
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
      return 'other'
  }
}

/** While it is opened, what the file system refuses is about its own files; later that is about those of a session. */
export const openTroubleOf = (error: unknown): Trouble =>
  REFUSED.has(codeOf(error) ?? '') ? 'read-only' : troubleOf(error)

const REFUSED: ReadonlySet<string> = new Set(['EACCES', 'EROFS', 'EPERM'])

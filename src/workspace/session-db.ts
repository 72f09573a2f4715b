/**
 * The session's own database, made when it is first asked for. The caller closes it.
 */
import type { DatabaseSync } from 'node:sqlite'
import { layout } from '../format/layout.ts'
import { pathFrom } from '../format/paths.ts'
import { livesWhere } from '../fs/location-label.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { loadSqlite } from './load-sqlite.ts'

export const SESSION_DB = pathFrom(layout.session.database)

export async function openSessionDb(fs: SessionFs, dir: string): Promise<DatabaseSync> {
  const path = `${dir}/${SESSION_DB}`
  const file = fs.diskPath(path)
  if (file === undefined) throw new Error(needsDisk(fs))
  const { DatabaseSync } = await loadSqlite()
  // SQLite would make the file readable by all; its -wal and -shm take the mode of the file they find.
  await fs.createExclusive(path, new Uint8Array())
  const db = new DatabaseSync(file)
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON;')
  for (const statement of TODO_TABLES) db.exec(statement)
  return db
}

/** The steps of longer work, in the tables that models know from the Copilot CLI. */
export const TODO_TABLES = [
  `CREATE TABLE IF NOT EXISTS todos (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  description TEXT,
  status TEXT DEFAULT 'pending' CHECK (status IN ('pending', 'in_progress', 'done', 'blocked')),
  created_at TEXT DEFAULT (datetime('now')),
  updated_at TEXT DEFAULT (datetime('now'))
)`,
  `CREATE TABLE IF NOT EXISTS todo_deps (
  todo_id TEXT NOT NULL REFERENCES todos (id),
  depends_on TEXT NOT NULL REFERENCES todos (id),
  PRIMARY KEY (todo_id, depends_on)
)`,
] as const

export const needsDisk = (fs: SessionFs): string =>
  `A session database needs a disk, and this session lives ${livesWhere(fs)}. Nothing was changed.`

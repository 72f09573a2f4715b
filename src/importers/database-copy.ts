/** A look into another program's SQLite database: into a copy of it and of its journal, never into the file itself. */
import { constants } from 'node:fs'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { errorText } from '../lib/error-text.ts'
import type { Unreadable } from './found.ts'

const TRIES = 3

interface DatabaseCopy extends AsyncDisposable {
  readonly db: DatabaseSync
}

/** Undefined when it is not there. */
export async function openCopy(path: string): Promise<DatabaseCopy | Unreadable | undefined> {
  if ((await signOf(path)) === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'reprise-rescue-'))
  try {
    const copy = join(folder, 'copy.db')
    for (let attempt = 1; ; attempt++) {
      const before = await signOf(path)
      await rm(`${copy}-wal`, { force: true })
      await copyFile(path, copy, constants.COPYFILE_FICLONE)
      // Without one the database is whole by itself.
      await copyFile(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE).catch(() => {})
      // Written to meanwhile: the two may not belong together.
      if ((await signOf(path)) === before || attempt === TRIES) break
    }
    const { DatabaseSync: Database } = await import('node:sqlite')
    const db = new Database(copy)
    db.exec('PRAGMA trusted_schema = OFF')
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    return {
      db,
      async [Symbol.asyncDispose]() {
        db.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    return { path, why: `its database could not be read: ${errorText(error)}` }
  }
}

/** Looks at it at once. */
export async function withCopy(
  path: string,
  work: (db: DatabaseSync) => void,
): Promise<Unreadable | undefined> {
  const opened = await openCopy(path)
  if (opened === undefined || 'why' in opened) return opened
  await using copy = opened
  try {
    work(copy.db)
    return undefined
  } catch (error) {
    return { path, why: `its database is not as expected: ${errorText(error)}` }
  }
}

async function signOf(path: string): Promise<string | undefined> {
  try {
    const own = await stat(path)
    const journal = await stat(`${path}-wal`).catch(() => undefined) // there is none
    return `${own.size}:${own.mtimeMs}:${journal?.size}:${journal?.mtimeMs}`
  } catch {
    // There is no such database.
    return undefined
  }
}

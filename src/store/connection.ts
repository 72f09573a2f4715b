/**
 * The one connection of a process to the store. Whatever is wrong with the database, a caller gets an
 * answer or a reason, never a failure of its own: a damaged file is set aside and begun anew, a locked or
 * read-only one is tried again at the next use. Each kind of trouble is told once.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { SessionFs } from '../fs/session-fs.ts'
import { errorText } from '../lib/error-text.ts'
import {
  findDatabaseFile,
  isOwn,
  openReadOnly,
  ownFile,
  setAside,
  type DatabaseFile,
  type DatabaseFileOptions,
} from './database-file.ts'
import { LaterSchema } from './migrations.ts'
import { openDatabase, openTroubleOf, troubleOf, type Trouble } from './open-store.ts'

export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

export type ConnectionOptions = DatabaseFileOptions & {
  /** Told once for each kind of trouble, in a sentence for people. */
  readonly onTrouble?: (message: string) => void
}

export interface Connection {
  /** Throws `StoreUnavailable` when there is no database to work on now; other errors are the work's own. */
  use<T>(work: (db: DatabaseSync) => T | Promise<T>): Promise<T>
  /** Where the database is, as soon as it is known. */
  path(): Promise<string | undefined>
  close(): void
}

export function connect(fs: SessionFs, options: ConnectionOptions): Connection {
  let opened: DatabaseSync | undefined
  let opening: Promise<DatabaseSync> | undefined
  let isClosed = false
  const told = new Set<string>()

  function tell(kind: string, message: string): void {
    if (told.has(kind)) return
    told.add(kind)
    options.onTrouble?.(message)
  }

  async function open(): Promise<DatabaseSync> {
    if (isClosed) throw new StoreUnavailable('The session store is closed.')
    const file = await findDatabaseFile(fs, options)
    try {
      return await openDatabase(file)
    } catch (cause) {
      // A later version made it, or changed it: beside it there is room for one of ours.
      const isOther = cause instanceof LaterSchema && file !== undefined && !isOwn(fs, file)
      return isOther ? openBeside() : recover(file, cause)
    }
  }

  async function openBeside(): Promise<DatabaseSync> {
    const file = ownFile(fs)
    return openDatabase(file).catch((cause: unknown) => recover(file, cause))
  }

  async function recover(file: DatabaseFile | undefined, cause: unknown): Promise<DatabaseSync> {
    const trouble = openTroubleOf(cause)
    if (file !== undefined && trouble === 'damaged') return beginAnew(file)
    if (file !== undefined && trouble === 'read-only') {
      tell('read-only', `${sentences['read-only']} (${errorText(cause)})`)
      return openReadOnly(file).catch(() => {
        throw unavailable('read-only', cause)
      })
    }
    throw unavailable(trouble, cause)
  }

  async function beginAnew(file: DatabaseFile): Promise<DatabaseSync> {
    tell('damaged', sentences.damaged)
    await setAside(file)
    return openDatabase(file)
  }

  function unavailable(trouble: Trouble, cause: unknown): StoreUnavailable {
    const message = cause instanceof LaterSchema ? cause.message : sentences[trouble]
    tell(trouble, message)
    return new StoreUnavailable(message, { cause })
  }

  async function database(): Promise<DatabaseSync> {
    if (opened !== undefined) return opened
    opening ??= open().finally(() => (opening = undefined))
    opened = await opening
    return opened
  }

  function drop(): void {
    try {
      opened?.close()
    } catch {
      // A damaged database may refuse even this; the next one is opened all the same.
    }
    opened = undefined
  }

  return {
    async use(work) {
      const db = await database()
      try {
        return await work(db)
      } catch (cause) {
        const trouble = troubleOf(cause)
        if (trouble === 'other') throw cause
        if (trouble !== 'busy') drop()
        const file = await findDatabaseFile(fs, options)
        if (trouble === 'damaged' && file !== undefined) opened = await beginAnew(file)
        throw unavailable(trouble, cause)
      }
    },
    path: async () => (await findDatabaseFile(fs, options))?.native,
    close() {
      isClosed = true
      drop()
    },
  }
}

const sentences: Record<Trouble, string> = {
  busy: 'The session store is locked by another program. Sessions are not affected; search waits until it is free.',
  damaged:
    'The session store was damaged. It was set aside and is made anew from the logs; nothing is lost.',
  'read-only':
    'The session store cannot be written here. Sessions are not affected; search shows what was indexed before.',
  full: 'The session store could not be written: the disk is full or failing. Sessions are not affected.',
  other: 'The session store cannot be opened. Sessions are not affected.',
}

/**
 * The embedded engine: one file in a folder, write-ahead log, and a sync at every commit. One node serves a folder; a
 * second is refused, since it would not hear what the first appends. Short commands of the same machine may come by.
 */
import { Kysely } from 'kysely'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { makePrivate } from '../../lib/private-file.ts'
import { ControlError } from '../control-error.ts'
import { migrate } from '../database/migrate.ts'
import type { Database, Opener, Query } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import { sqliteDialect } from './dialect.ts'

type SqliteOptions = {
  /** It is there, and its owner's alone. */
  readonly folder: string
  readonly as: Opener
}

export async function openSqlite({ folder, as }: SqliteOptions): Promise<Database> {
  const path = join(folder, 'control.db')
  const held = as === 'node' ? holdFolder(folder) : undefined
  makePrivate(path)
  const file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    file.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
      PRAGMA cache_size = -65536;
    `)
    const query = new Kysely<Tables>({ dialect: sqliteDialect(file) })
    await migrate(query, { bytes: 'blob' })
    return {
      kind: 'sqlite',
      query,
      transact: (work) => query.transaction().execute(work),
      snapshot: (work) => readMoment(path, work),
      // A transaction has the whole file.
      locked: (rows) => rows,
      // There is no other node.
      wake() {},
      async onWake() {},
      pass: () => false,
      async onPassed() {},
      // The same machine.
      clock: async () => Date.now(),
      describe: async () => ({ engine: 'SQLite', folder, ...settingsOf(file) }),
      async [Symbol.asyncDispose]() {
        await query.destroy()
        held?.close()
      },
    }
  } catch (cause) {
    file.close()
    held?.close()
    throw isDamage(cause) ? damaged(path, cause) : cause
  }
}

/** SQLITE_BUSY; SQLITE_CORRUPT and SQLITE_NOTADB. */
const BUSY = 5
const DAMAGE: readonly unknown[] = [11, 26]

const codeOf = (cause: unknown) => (cause as { readonly errcode?: unknown } | undefined)?.errcode

const isDamage = (cause: unknown): boolean =>
  DAMAGE.includes(codeOf(cause instanceof ControlError ? cause.cause : cause))

const damaged = (path: string, cause: unknown) =>
  new ControlError(
    'unavailable',
    `${path} is damaged, or no database of Mission Control. It was left as it is. Put it aside and go on from a backup: reprise control restore FILE. Machines send again what the backup lacks.`,
    { cause },
  )

/** On a connection of its own: a reader of the write-ahead log sees the moment in which it began. */
async function readMoment<T>(path: string, work: (query: Query) => Promise<T>): Promise<T> {
  const reader = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    reader.exec('BEGIN; SELECT 1 FROM tenants')
    return await work(new Kysely<Tables>({ dialect: sqliteDialect(reader) }))
  } finally {
    reader.close()
  }
}

const BUSY_TIMEOUT_MS = 10_000
const WAL_LIMIT_BYTES = 64 * 1024 * 1024

/** A lock of the system on a file of its own: it ends with the process, however that ends. */
function holdFolder(folder: string): DatabaseSync {
  const path = join(folder, 'node.lock')
  makePrivate(path)
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    if (codeOf(cause) !== BUSY) throw cause
    throw new ControlError(
      'in_use',
      `Another server already serves ${folder}. Nothing was started. Several nodes need PostgreSQL: --database postgres://…`,
      { cause },
    )
  }
}

const SYNCHRONOUS = ['off', 'normal', 'full', 'extra']

function settingsOf(file: DatabaseSync): Record<string, string> {
  const read = (sql: string) => Object.values(file.prepare(sql).get() ?? {})[0]
  return {
    version: String(read('select sqlite_version()')),
    journal: String(read('pragma journal_mode')),
    synchronous: SYNCHRONOUS[Number(read('pragma synchronous'))] ?? 'unknown',
  }
}

/**
 * Where the database of a home lives. In the home itself; beside the files that only we know of where that name is taken:
 * by the store of the Copilot CLI or of a later version, by a link or a folder, none of which is touched; in a local folder
 * when other machines share the home's disk.
 */
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { layout } from '../format/layout.ts'
import { homeFolder, inHome, pathFrom } from '../format/paths.ts'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { attempt } from '../lib/each-apart.ts'
import { isNetworkDisk } from '../lib/network-disk.ts'
import { readRange, withFile } from '../log/range.ts'
import { loadSqlite } from '../workspace/load-sqlite.ts'
import { APPLICATION_ID, SCHEMA_VERSION, versionOf } from './migrations.ts'

export const DATABASE = inHome('store')

export type DatabaseFile = {
  readonly fs: SessionFs
  readonly path: string
  /** For SQLite. */
  readonly native: string
}

export type DatabaseFileOptions = {
  /** The user's own folder for what can be made again. */
  readonly cacheFolder: string
  readonly isShared?: (folder: string) => boolean
}

/** Where it is, and where it may have been: the disk of a home can have become a shared one, or the Copilot CLI's. */
export async function placesOf(
  fs: SessionFs,
  options: DatabaseFileOptions,
): Promise<{ readonly used: DatabaseFile | undefined; readonly others: readonly DatabaseFile[] }> {
  const home = fs.diskPath(DATABASE)
  const used = await findDatabaseFile(fs, options)
  if (home === undefined) return { used, others: [] }
  const all = [fileIn(fs, DATABASE), ownFile(fs), sharedFile(home, options.cacheFolder)]
  return { used, others: all.filter(({ native }) => native !== used?.native) }
}

/** Undefined when the home is on no disk: the store then lives in memory. */
export async function findDatabaseFile(
  fs: SessionFs,
  { cacheFolder, isShared = isNetworkDisk }: DatabaseFileOptions,
): Promise<DatabaseFile | undefined> {
  const home = fs.diskPath(DATABASE)
  if (home === undefined) return undefined
  if (isShared(home)) return sharedFile(home, cacheFolder)
  return (await isTaken(fs)) ? ownFile(fs) : fileIn(fs, DATABASE)
}

/** Where the usual name is taken. */
export const ownFile = (fs: SessionFs): DatabaseFile => fileIn(fs, inHome('ownStore'))

export const isOwn = (fs: SessionFs, { native }: DatabaseFile): boolean =>
  native === ownFile(fs).native

function sharedFile(home: string, cacheFolder: string): DatabaseFile {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return fileIn(openDisk(cacheFolder), pathFrom(layout.cache.store, { home: name }))
}

const fileIn = (fs: SessionFs, path: string): DatabaseFile => ({
  fs,
  path,
  native: fs.nativePath(path),
})

/** Why the usual name cannot be used, for people; undefined where it can. */
export async function whyTaken(fs: SessionFs): Promise<string | undefined> {
  const kind = (await fs.stat(DATABASE))?.kind
  if (kind === 'folder') return 'is a folder'
  if (kind === 'other') return 'is a link, a pipe or a device'
  const file = fileIn(fs, DATABASE)
  const id = await applicationIn(file)
  if (id === undefined) return (await isCopilotHome(fs)) ? COPILOTS : undefined
  if (id !== APPLICATION_ID) return COPILOTS
  // Nobody has found it to be of a later version yet who has not made another one for it.
  const isAside = (await fs.stat(ownFile(fs).path)) !== undefined
  return isAside && (await isLater(file)) ? 'is of a later version' : undefined
}

/** Of the Copilot CLI, or of whatever has put it there. */
const COPILOTS = 'belongs to another program'

const isTaken = async (fs: SessionFs): Promise<boolean> => (await whyTaken(fs)) !== undefined

export const isOurs = async (file: DatabaseFile): Promise<boolean> =>
  (await applicationIn(file)) === APPLICATION_ID && !(await isLater(file))

/** Whose database it is; undefined when it is none, or cannot be read. */
async function applicationIn({ fs, path }: DatabaseFile): Promise<number | undefined> {
  const read = await attempt(() =>
    withFile(fs, path, (file) => readRange(file, { start: 0, end: 72 })),
  )
  const header = 'ok' in read ? read.ok : undefined
  if (header?.length !== 72 || header.toString('latin1', 0, 15) !== 'SQLite format 3')
    return undefined
  return header.readUInt32BE(68)
}

/** The schema stands in a table: the Copilot CLI leaves the header as it finds it. */
async function isLater(file: DatabaseFile): Promise<boolean> {
  const read = await attempt(async () => {
    const db = await openToLook(file)
    try {
      return versionOf(db) > SCHEMA_VERSION
    } finally {
      db.close()
    }
  })
  // What is damaged or locked is told of when it is opened.
  return 'ok' in read && read.ok
}

export const BUSY_TIMEOUT_MS = 3000

/** For a home that cannot be written: what was indexed can still be searched. */
export async function openReadOnly(file: DatabaseFile): Promise<DatabaseSync> {
  const { DatabaseSync } = await loadSqlite()
  return new DatabaseSync(file.native, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
}

/**
 * To look and change nothing, not even the names beside the file: a process that opens a database for reading alone leaves an
 * empty write-ahead log behind, and one that could write clears it away.
 */
export async function openToLook(file: DatabaseFile): Promise<DatabaseSync> {
  if ((await file.fs.stat(`${file.path}-wal`)) !== undefined) return openReadOnly(file)
  const { DatabaseSync } = await loadSqlite()
  const db = new DatabaseSync(file.native, { timeout: BUSY_TIMEOUT_MS })
  db.exec('PRAGMA query_only = ON')
  return db
}

/** It will make a store of its own there, if it has not yet. */
async function isCopilotHome(fs: SessionFs): Promise<boolean> {
  const found = await fs.statMany([
    inHome('copilotConfig'),
    inHome('copilotSettings'),
    homeFolder('copilotPlugins'),
  ])
  return found.some((stat) => stat !== undefined)
}

/** SQLite would make the file readable by all; its -wal and -shm take the mode of the file they find. */
export const makeFile = ({ fs, path }: DatabaseFile): Promise<boolean> =>
  fs.createExclusive(path, new Uint8Array())

const ENDS = ['-wal', '-shm', '-journal']

export async function removeDatabase({ fs, path }: DatabaseFile): Promise<void> {
  for (const end of ['', ...ENDS]) await fs.remove(`${path}${end}`)
}

/** Keeps a damaged database for the person who wants to look at it, one at most, and makes room for a new one. */
export async function setAside({ fs, path }: DatabaseFile): Promise<void> {
  await fs.remove(`${path}.broken`)
  await fs.rename(path, `${path}.broken`)
  for (const end of ENDS) await fs.remove(`${path}${end}`)
}

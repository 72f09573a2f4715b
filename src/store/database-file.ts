/**
 * Where the database of a home lives. In the home itself; beside the files that only we know of when the home
 * is the Copilot CLI's, which has a store of its own under that name; in a local folder when other machines
 * share the home's disk.
 */
import { createHash } from 'node:crypto'
import { layout } from '../format/layout.ts'
import { homeFolder, inHome, pathFrom } from '../format/paths.ts'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { isNetworkDisk } from '../lib/network-disk.ts'
import { readRange, withFile } from '../log/range.ts'
import { APPLICATION_ID } from './migrations.ts'

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
  const all = [
    fileIn(fs, DATABASE),
    fileIn(fs, inHome('ownStore')),
    sharedFile(home, options.cacheFolder),
  ]
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
  return fileIn(fs, (await isForeign(fs)) ? inHome('ownStore') : DATABASE)
}

function sharedFile(home: string, cacheFolder: string): DatabaseFile {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return fileIn(openDisk(cacheFolder), pathFrom(layout.cache.store, { home: name }))
}

const fileIn = (fs: SessionFs, path: string): DatabaseFile => ({
  fs,
  path,
  native: fs.nativePath(path),
})

async function isForeign(fs: SessionFs): Promise<boolean> {
  const id = await applicationIn(fs, DATABASE)
  return id === undefined ? isCopilotHome(fs) : id !== APPLICATION_ID
}

export const isOurs = async ({ fs, path }: DatabaseFile): Promise<boolean> =>
  (await applicationIn(fs, path)) === APPLICATION_ID

/** Whose database it is; undefined when it is none. */
async function applicationIn(fs: SessionFs, path: string): Promise<number | undefined> {
  const header = await withFile(fs, path, (file) => readRange(file, { start: 0, end: 72 }))
  if (header?.length !== 72 || header.toString('latin1', 0, 15) !== 'SQLite format 3')
    return undefined
  return header.readUInt32BE(68)
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

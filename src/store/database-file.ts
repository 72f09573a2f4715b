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

/** Undefined when the home is on no disk: the store then lives in memory. */
export async function findDatabaseFile(
  fs: SessionFs,
  { cacheFolder, isShared = isNetworkDisk }: DatabaseFileOptions,
): Promise<DatabaseFile | undefined> {
  const home = fs.diskPath(DATABASE)
  if (home === undefined) return undefined
  if (isShared(home)) {
    const name = createHash('sha256').update(home).digest('hex').slice(0, 16)
    return fileIn(openDisk(cacheFolder), pathFrom(layout.cache.store, { home: name }))
  }
  return fileIn(fs, (await isForeign(fs)) ? inHome('ownStore') : DATABASE)
}

const fileIn = (fs: SessionFs, path: string): DatabaseFile => ({
  fs,
  path,
  native: fs.nativePath(path),
})

async function isForeign(fs: SessionFs): Promise<boolean> {
  const header = await withFile(fs, DATABASE, (file) => readRange(file, { start: 0, end: 72 }))
  if (header !== undefined && header.length === 72) {
    return header.toString('latin1', 0, 15) === 'SQLite format 3'
      ? header.readUInt32BE(68) !== APPLICATION_ID
      : isCopilotHome(fs)
  }
  return isCopilotHome(fs)
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

/** Keeps a damaged database for whoever wants to look at it, one at most, and makes room for a new one. */
export async function setAside({ fs, path }: DatabaseFile): Promise<void> {
  await fs.remove(`${path}.broken`)
  await fs.rename(path, `${path}.broken`)
  for (const end of ['-wal', '-shm']) await fs.remove(`${path}${end}`)
}

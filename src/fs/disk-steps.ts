/**
 * Changes of a disk that are seen whole or not at all. Each is prepared under a temporary name in the same
 * folder and then given its name in one step; a temporary file is removed when the preparation fails.
 */
import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  openSync,
  promises,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { layout } from '../format/layout.ts'
import { fileName, fixedStart } from '../format/paths.ts'
import { isNetworkDisk } from '../lib/network-disk.ts'
import { createFile, fdatasyncLater } from './disk-files.ts'
import {
  lookAt,
  makeFolders,
  refusedLink,
  syncFolder,
  syncWayDown,
  withFolders,
  type DiskRoot,
} from './disk-root.ts'
import { codeOf, FsError, hasNoLinks } from './fs-error.ts'
import { writeAll } from './write-all.ts'

const { temporary: TEMPORARY } = layout.anywhere
const BEGINNING = fixedStart(TEMPORARY)

/** A file in the making, or one that a killed process left behind. */
export const isTemporary = (name: string): boolean => name.startsWith(BEGINNING)

const temporaryBeside = (full: string): string =>
  path.join(
    path.dirname(full),
    fileName(TEMPORARY, { pid: process.pid, hex: randomBytes(8).toString('hex') }),
  )

/**
 * Its maker has it for milliseconds. Where other machines share the disk their processes cannot be asked, so
 * only what is old counts as left. Paths are relative to the folder, with `/`.
 */
export function leftTemporaryIn(folder: string, isShared = isNetworkDisk(folder)): string[] {
  return namesIn(folder).flatMap(({ name, isFolder }) => {
    const full = path.join(folder, name)
    if (!isTemporary(name))
      return isFolder ? leftTemporaryIn(full, isShared).map((below) => `${name}/${below}`) : []
    const pid = Number(/^\.reprise-tmp-(\d+)-/.exec(name)?.[1] ?? 0)
    if (pid === 0 || pid === process.pid) return []
    const ageMs = Date.now() - (lookAt(full)?.mtimeMs ?? Date.now())
    return (isShared ? ageMs > LEFT_BEHIND_MS : !isAlive(pid)) ? [name] : []
  })
}

const LEFT_BEHIND_MS = 10 * 60_000

function namesIn(folder: string): readonly { name: string; isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is alive, too.
    return codeOf(error) === 'EPERM'
  }
}

export async function writeAtomicOn(
  root: DiskRoot,
  full: string,
  bytes: Uint8Array,
  durable: boolean,
): Promise<void> {
  const isNewFolder = makeFolders(path.dirname(full))
  const temporary = temporaryBeside(full)
  await orRemove(temporary, async () => {
    await writeNew(temporary, bytes, durable)
    renameSync(temporary, full)
  })
  if (!durable) return
  await (isNewFolder ? syncWayDown(root, full) : syncFolder(path.dirname(full)))
}

/** The bytes are synced before they get their name: a power cut must not leave an empty claim. */
export async function createExclusiveOn(full: string, bytes: Uint8Array): Promise<boolean> {
  if (lookAt(full) !== undefined) return false
  const temporary = temporaryBeside(full)
  return orRemove(temporary, async () => {
    await writeNew(temporary, bytes, true)
    try {
      linkSync(temporary, full)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      if (!hasNoLinks(error)) throw error
      return createInPlace(full, bytes)
    } finally {
      unlinkSync(temporary)
    }
    return true
  })
}

/** Still exclusive, but on such a file system a reader may see the file before all its bytes. */
async function createInPlace(full: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeNew(full, bytes, true)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    rmSync(full, { force: true })
    throw error
  }
}

async function writeNew(full: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const { fd } = createFile(full)
  try {
    writeAll(fd, full, [bytes], 0)
    if (durable && bytes.length > 0) await fdatasyncLater(fd)
  } finally {
    closeSync(fd)
  }
}

/** Only Linux could refuse an existing target in the same step, and not through Node; so it is looked for first. */
export async function renameOn(from: string, to: string): Promise<void> {
  if (lookAt(from) === undefined) throw new FsError('ENOENT', from, 'there is nothing to move')
  if (lookAt(to) !== undefined) throw new FsError('EEXIST', to, 'the target of a move exists')
  withFolders(to, () => renameSync(from, to))
  await syncFolder(path.dirname(to))
  if (path.dirname(from) !== path.dirname(to)) await syncFolder(path.dirname(from))
}

/**
 * The target is replaced in one step. Copying a file onto itself gives its name a new file with the same
 * bytes, and a process that still has the old one open writes into nothing. What replaces something is synced first.
 */
export async function copyOn(from: string, to: string): Promise<void> {
  const stats = lookAt(from)
  if (stats === undefined) throw new FsError('ENOENT', from, 'there is nothing to copy')
  if (stats.isSymbolicLink()) throw refusedLink(from)
  if (!stats.isFile()) throw new FsError('EINVAL', from, 'only regular files are copied')
  makeFolders(path.dirname(to))
  const replaces = lookAt(to) !== undefined
  const temporary = temporaryBeside(to)
  await orRemove(temporary, async () => {
    await promises.copyFile(from, temporary, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    chmodSync(temporary, 0o600)
    if (replaces) await syncData(temporary)
    renameSync(temporary, to)
  })
  if (replaces) await syncFolder(path.dirname(to))
}

export async function shareOn(from: string, to: string): Promise<void> {
  const stats = lookAt(from)
  if (stats === undefined) throw new FsError('ENOENT', from, 'there is nothing to share')
  if (!stats.isFile()) throw refusedLink(from)
  makeFolders(path.dirname(to))
  try {
    linkSync(from, to)
  } catch (error) {
    if (!hasNoLinks(error)) throw error
    await copyOn(from, to)
  }
}

async function syncData(full: string): Promise<void> {
  const fd = openSync(full, constants.O_RDWR)
  try {
    await fdatasyncLater(fd)
  } finally {
    closeSync(fd)
  }
}

async function orRemove<T>(temporary: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** A folder loses its name first: a kill, or a power cut, must not leave half of it under that name. */
export async function removeOn(full: string): Promise<void> {
  const stats = lookAt(full)
  if (stats === undefined) return
  if (!stats.isDirectory()) return rmSync(full, { force: true })
  await promises.rm(await nameless(full), { recursive: true, force: true, maxRetries: 3 })
}

async function nameless(full: string): Promise<string> {
  const temporary = temporaryBeside(full)
  try {
    renameSync(full, temporary)
  } catch (error) {
    // Windows moves no folder in which a file is open; what can be removed of it is removed.
    if (codeOf(error) === 'EPERM' || codeOf(error) === 'EBUSY') return full
    throw error
  }
  await syncFolder(path.dirname(full))
  return temporary
}

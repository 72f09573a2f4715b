/**
 * The folder that a disk works in. Every path is checked here before it reaches the system: it stays below
 * the root, no link on its way leads out, and the root belongs to the user who runs us, unless it may be anyone's. Folders that we make
 * are 0700 whatever the umask; folders that we find are left as they are.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { checkPath } from '../lib/check-path.ts'
import { codeOf, FsError, isMissing } from './fs-error.ts'

// Neither flag exists on Windows, where Node leaves them undefined.
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
/** A pipe planted in place of a file then answers at once, instead of blocking the process for ever. */
export const NO_WAIT = constants.O_NONBLOCK ?? 0

export type DiskRoot = {
  readonly folder: string
  /** The full path as a name only. */
  native(path: string): string
  /** The full path of something to look at or read. */
  place(path: string): string
  /** The full path of something to write; refuses a link there. */
  target(path: string): string
  /** Folders whose names this process knows to survive a power cut, with what stood for the name then. */
  readonly durable: Map<string, string>
}

export function openRoot(folder: string, { ofAnyone = false } = {}): DiskRoot {
  const root = path.resolve(folder)
  let isOurs = ofAnyone || checkOwner(root)

  const native = (relative: string): string => {
    checkPath(relative)
    // Checked, so there is nothing to normalise; the join would cost more than the look at the file.
    return root + path.sep + (path.sep === '/' ? relative : relative.replaceAll('/', path.sep))
  }
  const place = (relative: string): string => {
    const full = native(relative)
    refuseWayOut(root, relative)
    return full
  }
  return {
    folder: root,
    native,
    place,
    durable: new Map(),
    target: (relative) => {
      isOurs ||= checkOwner(root)
      const full = place(relative)
      if (lookAt(full)?.isSymbolicLink()) throw refusedLink(full)
      return full
    },
  }
}

/** False when there is no root yet. */
function checkOwner(root: string): boolean {
  const stats = statSync(root, { throwIfNoEntry: false })
  if (stats === undefined) return false
  const uid = process.getuid?.()
  if (uid !== undefined && stats.uid !== uid) {
    throw new FsError(
      'EACCES',
      root,
      `this folder belongs to user ${stats.uid}, not to you (${uid}); nothing was changed`,
    )
  }
  return true
}

/** Links that stay inside are allowed: a home may be arranged with them. */
function refuseWayOut(root: string, relative: string): void {
  let end = relative.indexOf('/')
  while (end !== -1) {
    const folder = relative.slice(0, end)
    const full = root + path.sep + folder
    const stats = lookAt(full)
    if (stats === undefined) return
    if (stats.isSymbolicLink() && !isInside(root, full)) {
      throw new FsError('ELOOP', full, 'refused, because this link leads out of the home')
    }
    end = relative.indexOf('/', end + 1)
  }
}

/** A link that leads nowhere, or to itself, does not lead inside. */
export function isInside(root: string, full: string): boolean {
  const real = realpathSync.native(root)
  let target: string
  try {
    target = realpathSync.native(full)
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'ELOOP') return false
    throw error
  }
  return target === real || target.startsWith(real.endsWith(path.sep) ? real : real + path.sep)
}

export const refusedLink = (full: string): FsError =>
  new FsError('ELOOP', full, 'refused, because this is a symbolic link')

/** What stands at the name itself, never what a link points to. Undefined when missing. */
export function lookAt(full: string): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** True when a folder had to be made. */
export function makeFolders(full: string): boolean {
  try {
    mkdirSync(full, 0o700)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      makeFolders(path.dirname(full))
      makeFolders(full)
      return true
    }
    if (codeOf(error) !== 'EEXIST') throw error
    if (!statSync(full).isDirectory()) throw new FsError('ENOTDIR', full, 'a file is in the way')
    return false
  }
  chmodSync(full, 0o700)
  return true
}

/** Runs a step that creates a name; makes the folders around it when they turn out to be missing. */
export function withFolders<T>(full: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    makeFolders(path.dirname(full))
    return step()
  }
}

const fsyncLater = promisify(fsync)

/** Syncs that have not begun yet, by their folder: what asks meanwhile is answered by the same one. */
const waiting = new Map<string, Promise<void>>()
const running = new Map<string, Promise<void>>()

/** Makes the names in this folder survive a power cut. One that has begun may not see a name that came after it. */
export function syncFolder(full: string): Promise<void> {
  const known = waiting.get(full)
  if (known !== undefined) return known
  const before = running.get(full)
  const next = (async () => {
    // Its failure is told to those who asked for it.
    await before?.catch(() => {})
    waiting.delete(full)
    const own = syncFolderNow(full)
    running.set(full, own)
    try {
      await own
    } finally {
      if (running.get(full) === own) running.delete(full)
    }
  })()
  waiting.set(full, next)
  return next
}

async function syncFolderNow(full: string): Promise<void> {
  let fd: number
  try {
    fd = openSync(full, constants.O_RDONLY)
  } catch (error) {
    // Windows has no such thing, and the folder above the root may be closed to us.
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM' || codeOf(error) === 'EISDIR')
      return
    throw error
  }
  try {
    await fsyncLater(fd)
  } catch (error) {
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP')
      throw error
  } finally {
    closeSync(fd)
  }
}

/**
 * Makes a name survive a power cut, and those of all folders above it. Who made which folder does not matter:
 * an earlier process may have made them and been killed before it synced. So each is synced once by every
 * process, and again when another folder stands for its name.
 */
export async function syncWayDown(root: DiskRoot, full: string): Promise<void> {
  const fresh = new Map<string, string>()
  let folder = path.dirname(full)
  const folders = [folder]
  while (folder.length >= root.folder.length) {
    // Before its name is synced: what is put in its place meanwhile is not what was synced.
    const identity = identityOf(statSync(folder))
    if (root.durable.get(folder) === identity) break
    fresh.set(folder, identity)
    folder = path.dirname(folder)
    folders.push(folder)
  }
  // Each matters, their order does not: nothing is acknowledged before the last.
  await Promise.all(folders.map(syncFolder))
  for (const [name, identity] of fresh) root.durable.set(name, identity)
}

/** The inode alone is not enough: it is given to the next new file as soon as the old one is gone. */
export const identityOf = (stats: Stats): string => `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`

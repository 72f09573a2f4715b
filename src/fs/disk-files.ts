/** Open files of a disk: every byte count is checked, and only regular files are opened. */
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  read,
  readSync,
  type Stats,
} from 'node:fs'
import { promisify } from 'node:util'
import type { AppendFile, ReadFile } from './session-fs.ts'
import { isNetworkDisk } from '../lib/network-disk.ts'
import {
  identityOf,
  lookAt,
  NO_FOLLOW,
  NO_WAIT,
  refusedLink,
  syncWayDown,
  withFolders,
  type DiskRoot,
} from './disk-root.ts'
import { codeOf, FsError, isMissing } from './fs-error.ts'
import { createSync } from './sync-policy.ts'
import { writeAll } from './write-all.ts'

// Positional, not promisified: that form returns an object per read.
const readLater = (
  fd: number,
  target: Uint8Array,
  offset: number,
  position: number,
): Promise<number> =>
  new Promise((resolve, reject) => {
    read(fd, target, offset, target.length - offset, position, (error, count) =>
      error ? reject(error) : resolve(count),
    )
  })
export const fdatasyncLater = promisify(fdatasync)

export function openForReading(
  full: string,
): { readonly fd: number; readonly stats: Stats } | undefined {
  try {
    return openRegular(full, constants.O_RDONLY)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function openRegular(
  full: string,
  flags: number,
  mode?: number,
): { readonly fd: number; readonly stats: Stats } {
  let fd: number
  try {
    fd = openSync(full, flags | NO_FOLLOW | NO_WAIT, mode)
  } catch (error) {
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'EMLINK') throw refusedLink(full)
    throw error
  }
  try {
    const stats = fstatSync(fd)
    if (stats.isDirectory()) throw new FsError('EISDIR', full, 'this is a folder')
    if (!stats.isFile()) throw new FsError('EINVAL', full, 'this is not a regular file')
    return { fd, stats }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

export function readWhole(full: string): Uint8Array | undefined {
  const file = openForReading(full)
  if (file === undefined) return undefined
  try {
    // One byte more than it had: the read that finds no more needs room too.
    let bytes = new Uint8Array(file.stats.size + 1)
    let length = 0
    for (;;) {
      const count = readSync(file.fd, bytes, length, bytes.length - length, length)
      length += count
      if (count === 0) return bytes.subarray(0, length)
      if (length === bytes.length) bytes = grown(bytes)
    }
  } finally {
    closeSync(file.fd)
  }
}

/** A little more room, for a file that has grown since it was opened. */
function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length + 4096)
  larger.set(bytes)
  return larger
}

export function readFileOn({
  fd,
  stats,
}: {
  readonly fd: number
  readonly stats: Stats
}): ReadFile {
  const close = closeOnce(fd)
  return {
    size: stats.size,
    identity: identityOf(stats),
    read: async (target, position) => {
      let length = 0
      while (length < target.length) {
        const rest = target.length - length
        // A small read is faster than the way to a thread and back; a large one must not hold up the process.
        const count =
          rest <= 65_536
            ? readSync(fd, target, length, rest, position + length)
            : await readLater(fd, target, length, position + length)
        if (count === 0) break
        length += count
      }
      return length
    },
    close,
  }
}

export function openAppendOn(root: DiskRoot, full: string): AppendFile {
  const { fd, stats, created } = openOrCreate(full)
  // An empty file may have been made by a process that died before its name was synced.
  let nameIsDurable = !created && stats.size > 0
  const later = () => fdatasyncLater(fd)
  // Behind a network, a sync that hangs would take the whole process with it.
  const syncBytes = isNetworkDisk(full)
    ? later
    : createSync({ now: () => fdatasyncSync(fd), later, clock: () => performance.now() })
  return {
    identity: identityOf(stats),
    size: async () => fstatSync(fd).size,
    write: async (chunks, position) => writeAll(fd, full, chunks, position),
    sync: async () => {
      if (nameIsDurable) return syncBytes()
      await Promise.all([syncBytes(), syncWayDown(root, full)])
      nameIsDurable = true
    },
    truncate: async (size) => ftruncateSync(fd, size),
    close: closeOnce(fd),
  }
}

function openOrCreate(full: string): { fd: number; stats: Stats; created: boolean } {
  for (;;) {
    try {
      const file = openRegular(full, constants.O_WRONLY)
      if ((file.stats.mode & 0o077) !== 0) fchmodSync(file.fd, 0o600)
      return { ...file, created: false }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
    try {
      return { ...createFile(full), created: true }
    } catch (error) {
      // Another process made it in between. A dangling link is not that: it would send us round for ever.
      if (codeOf(error) !== 'EEXIST') throw error
      if (lookAt(full)?.isSymbolicLink()) throw refusedLink(full)
    }
  }
}

/** A new, empty file, 0600 whatever the umask. Fails when the name is taken, also by a link. */
export function createFile(full: string): { readonly fd: number; readonly stats: Stats } {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const file = withFolders(full, () => openRegular(full, flags, 0o600))
  fchmodSync(file.fd, 0o600)
  return file
}

function closeOnce(fd: number): () => Promise<void> {
  let isOpen = true
  return async () => {
    // The number of a closed file is given to the next one opened: closing twice would close that.
    if (isOpen) closeSync(fd)
    isOpen = false
  }
}

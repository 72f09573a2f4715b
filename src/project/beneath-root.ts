/**
 * The way to a path inside the project, without ever following a link. On Linux a folder is entered name by
 * name and held open, so nobody can put a link into the way between the check and the act; elsewhere every
 * folder on the way is looked at right before.
 */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  promises,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, FsError, isMissing } from '../fs/fs-error.ts'
import { fileMode, folderMode, foldersAround, type Stamp } from './file-state.ts'

// Neither flag exists on Windows, where Node leaves them undefined.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
/** A pipe planted in place of a file then answers at once, instead of blocking the process for ever. */
const NO_WAIT = constants.O_NONBLOCK ?? 0
const FOLDER = constants.O_DIRECTORY ?? 0
/** Linux's O_PATH, which Node does not name: to stand in a folder without the right to read it. */
const STAND = 0o10000000

const HELD = '/proc/self/fd'
const canHold = process.platform === 'linux' && existsSync(HELD)

/** Does something with a name in its folder. The place given is only good while the action runs. */
export function withParent<T>(root: string, path: string, action: (place: string) => T): T {
  const cut = path.lastIndexOf('/')
  const folder = cut === -1 ? '' : path.slice(0, cut)
  return withFolder(root, folder, (held) => action(`${held}/${path.slice(cut + 1)}`))
}

/** Throws ENOTDIR or ELOOP when a folder on the way is something else, ENOENT when it is missing. */
export function withFolder<T>(root: string, folder: string, action: (held: string) => T): T {
  if (!canHold) {
    for (const outer of folder === '' ? [] : [...foldersAround(folder), folder]) {
      if (!lstatSync(`${root}/${outer}`).isDirectory()) throw notAFolder(`${root}/${outer}`)
    }
    return action(folder === '' ? root : `${root}/${folder}`)
  }
  let held = openSync(root, STAND | FOLDER)
  try {
    for (const name of folder === '' ? [] : folder.split('/')) {
      const next = openSync(`${HELD}/${held}/${name}`, STAND | FOLDER | NO_FOLLOW)
      closeSync(held)
      held = next
    }
    return action(`${HELD}/${held}`)
  } finally {
    closeSync(held)
  }
}

const notAFolder = (full: string): FsError =>
  new FsError('ENOTDIR', full, 'refused, because a link or a file is in the way')

/** Changes a file or folder, never what a link points to. */
export function changeMode(root: string, path: string, mode: number): void {
  withParent(root, path, (place) => {
    if (lstatSync(place).isSymbolicLink()) throw notAFolder(`${root}/${path}`)
    if (!canHold) return chmodSync(place, mode)
    const fd = openSync(place, STAND | NO_FOLLOW)
    try {
      if (fstatSync(fd).isSymbolicLink()) throw notAFolder(`${root}/${path}`)
      chmodSync(`${HELD}/${fd}`, mode)
    } finally {
      closeSync(fd)
    }
  })
}

/** Makes the names in a folder survive a power cut, where the system knows such a thing. */
export function syncNames(root: string, folder: string): void {
  try {
    withFolder(root, folder, (held) => {
      const fd = openSync(held, constants.O_RDONLY | FOLDER)
      try {
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
    })
  } catch (error) {
    if (!isBarred(error) && !UNSYNCED.has(codeOf(error) ?? '')) throw error
  }
}

const UNSYNCED = new Set(['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP'])

export const isBarred = (error: unknown): boolean => isMissing(error) || codeOf(error) === 'ELOOP'

/** `special` is what is neither a file nor a folder nor a link, and what is closed to us. */
type Look = Stamp | 'special' | undefined

/** What stands at a path. Nothing does when a folder on the way is missing, a file or a link. */
export function lookAt(root: string, path: string): Look {
  try {
    return withParent(root, path, (place) => stampOf(lstatSync(place)))
  } catch (error) {
    if (isBarred(error)) return undefined
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return 'special'
    throw error
  }
}

export function stampOf(stats: Stats): Stamp | 'special' {
  const type = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'link'
        : undefined
  if (type === undefined) return 'special'
  return {
    type,
    // The size of a folder is the file system's own affair.
    size: type === 'folder' ? 0 : stats.size,
    mode: type === 'folder' ? folderMode(stats.mode) : fileMode(stats.mode),
    ino: stats.ino,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    birthMs: stats.birthtimeMs,
  }
}

/** The target of a link as text. Undefined when it is not valid Unicode. */
export function readTarget(root: string, path: string): string | undefined {
  return withParent(root, path, (place) => {
    const bytes = readlinkSync(place, { encoding: 'buffer' })
    const text = bytes.toString()
    return Buffer.from(text).equals(bytes) ? text : undefined
  })
}

/** The bytes of a regular file with the stamps before and after reading. Undefined when there is none. */
export async function readInside(
  root: string,
  path: string,
  maxBytes: number,
): Promise<{ bytes: Buffer; before: Stamp; after: Stamp } | 'large' | undefined> {
  let fd: number
  try {
    fd = openChecked(root, path)
  } catch (error) {
    if (isBarred(error)) return undefined
    throw error
  }
  try {
    const before = stampOf(fstatSync(fd))
    if (before === 'special' || before.type !== 'file') return undefined
    if (before.size > maxBytes) return 'large'
    const bytes =
      before.size > AT_ONCE ? await readLater(fd, before.size) : readNow(fd, before.size)
    const after = stampOf(fstatSync(fd))
    return after === 'special' ? undefined : { bytes, before, after }
  } finally {
    closeSync(fd)
  }
}

/** Up to so many bytes are read at once: asking for them later would cost more than reading them. */
const AT_ONCE = 1024 * 1024

function openChecked(root: string, path: string): number {
  const full = `${root}/${path}`
  const fd = openSync(full, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
  // One question afterwards is cheaper than entering every folder, and proves the same for reading.
  const real = canHold
    ? readlinkSync(`${HELD}/${fd}`)
    : `${realpathSync.native(dirname(full))}/${path.slice(path.lastIndexOf('/') + 1)}`
  if (real === full) return fd
  closeSync(fd)
  throw notAFolder(full)
}

function readNow(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const count = readSync(fd, bytes, length, size - length, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}

async function readLater(fd: number, size: number): Promise<Buffer> {
  // Without /proc the bytes are read at once, through the descriptor that is held.
  const handle = await promises.open(`${HELD}/${fd}`).catch(() => undefined)
  if (handle === undefined) return readNow(fd, size)
  try {
    const bytes = Buffer.allocUnsafe(size)
    const { bytesRead } = await handle.read(bytes, 0, size, 0)
    return bytesRead === size ? bytes : readNow(fd, size)
  } finally {
    await handle.close()
  }
}

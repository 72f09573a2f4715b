/**
 * One pack of a git repository, read without git and without anything of the repository running. It is held open, so
 * that what is in it can be read even after its files were removed. Blobs of packs with SHA-1 names only.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { FsError } from '../fs/fs-error.ts'

export interface GitPack {
  /** Another one, or another state of it, has another. */
  readonly mark: string
  has(blob: string): boolean
  /** Undefined when it is not there, is no blob, or is damaged. */
  read(blob: string): Buffer | undefined
  close(): void
}

const MAGIC = 0xff744f63
const HEAD_BYTES = 8
const FAN_BYTES = 256 * 4
const ID_BYTES = 20
const [BLOB, BY_OFFSET, BY_ID] = [3, 6, 7]
/** The length of a chain of differences; git makes none longer than 4095, and 50 unless it is told. */
const DEEPEST = 4096

/** `place` has no ending. Throws when it cannot be opened. */
export function openGitPack(place: string): GitPack {
  const fd = openPlain(`${place}.pack`)
  let indexFd: number
  try {
    indexFd = openPlain(`${place}.idx`)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  const { size: packBytes } = fstatSync(fd)
  let known: GitIndex | undefined
  const index = (): GitIndex => (known ??= gitIndex(readFileSync(indexFd)))

  return {
    mark: markOf(indexFd),
    has: (blob) => index()(Buffer.from(blob, 'hex')) !== undefined,
    read(blob) {
      const offset = index()(Buffer.from(blob, 'hex'))
      return offset === undefined ? undefined : objectAt(offset, 0)
    },
    close() {
      closeSync(fd)
      closeSync(indexFd)
    },
  }

  function objectAt(offset: number, depth: number): Buffer | undefined {
    if (depth > DEEPEST || offset >= packBytes) return undefined
    const head = bytesAt(offset, 64)
    const { kind, size, length } = readHead(head)
    if (kind === BLOB) return inflated(offset + length, size)
    if (kind === BY_OFFSET) {
      const back = readBack(head, length)
      const base = objectAt(offset - back.distance, depth + 1)
      return base && patched(base, inflated(offset + back.length, size))
    }
    if (kind !== BY_ID) return undefined
    const place = index()(head.subarray(length, length + ID_BYTES))
    const base = place === undefined ? undefined : objectAt(place, depth + 1)
    return base && patched(base, inflated(offset + length + ID_BYTES, size))
  }

  function inflated(offset: number, size: number): Buffer {
    // What does not compress grows by five bytes for every 16 KiB, and eleven.
    const compressed = bytesAt(offset, size + Math.ceil(size / 1000) + 64)
    return inflateSync(compressed, { maxOutputLength: Math.max(1, size) })
  }

  function bytesAt(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, packBytes - offset)))
    let done = 0
    while (done < bytes.length) {
      const got = readSync(fd, bytes, done, bytes.length - done, offset + done)
      if (got === 0) break
      done += got
    }
    return bytes.subarray(0, done)
  }
}

/** Where an object stands in the pack. */
type GitIndex = (id: Buffer) => number | undefined

function gitIndex(index: Buffer): GitIndex {
  const isKnown = index.length > HEAD_BYTES + FAN_BYTES
  if (!isKnown || index.readUInt32BE(0) !== MAGIC || index.readUInt32BE(4) !== 2)
    return () => undefined
  const count = index.readUInt32BE(HEAD_BYTES + FAN_BYTES - 4)
  const ids = HEAD_BYTES + FAN_BYTES
  const offsets = ids + count * (ID_BYTES + 4)
  const farOffsets = offsets + count * 4
  return (id) => {
    const first = id[0] ?? 0
    let low = first === 0 ? 0 : index.readUInt32BE(HEAD_BYTES + (first - 1) * 4)
    let high = index.readUInt32BE(HEAD_BYTES + first * 4)
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = ids + middle * ID_BYTES
      const order = index.compare(id, 0, ID_BYTES, at, at + ID_BYTES)
      if (order === 0) return offsetOf(middle)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }

  function offsetOf(number: number): number {
    const near = index.readUInt32BE(offsets + number * 4)
    if (near < FAR) return near
    return Number(index.readBigUInt64BE(farOffsets + (near - FAR) * 8))
  }
}

/** From here on an offset stands in a table of its own. */
const FAR = 0x80000000

/** A pipe in place of a file would hold up the process, and a link could lead anywhere. */
function openPlain(place: string): number {
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw new FsError('EINVAL', place, 'this is no file')
}

function markOf(fd: number): string {
  const { size, mtimeMs, ino } = fstatSync(fd)
  return `${size} ${mtimeMs} ${ino}`
}

function readHead(head: Buffer): { kind: number; size: number; length: number } {
  let byte = head[0] ?? 0
  const kind = (byte >> 4) & 7
  let size = byte & 15
  let length = 1
  for (let weight = 16; byte & 0x80; weight *= 128) {
    byte = head[length++] ?? 0
    size += (byte & 0x7f) * weight
  }
  return { kind, size, length }
}

/** How far before this object the one stands that it differs from. */
function readBack(head: Buffer, at: number): { distance: number; length: number } {
  let length = at
  let byte = head[length++] ?? 0
  let distance = byte & 0x7f
  while (byte & 0x80) {
    byte = head[length++] ?? 0
    distance = (distance + 1) * 128 + (byte & 0x7f)
  }
  return { distance, length }
}

/** Undefined when the difference does not fit. */
function patched(base: Buffer, delta: Buffer): Buffer | undefined {
  let at = 0
  const number = (): number => {
    let value = 0
    for (let weight = 1; ; weight *= 128) {
      const byte = delta[at++] ?? 0
      value += (byte & 0x7f) * weight
      if ((byte & 0x80) === 0) return value
    }
  }
  /** Each bit that is set stands for a byte that follows. */
  const bytes = (set: number): number => {
    let value = 0
    for (let place = 0; set >> place > 0; place++)
      if ((set >> place) & 1) value += (delta[at++] ?? 0) * 256 ** place
    return value
  }
  if (number() !== base.length) return undefined
  const target = Buffer.alloc(number())
  let done = 0
  while (at < delta.length) {
    const command = delta[at++] ?? 0
    if (command & 0x80) {
      const start = bytes(command & 0x0f)
      const length = bytes((command >> 4) & 0x07) || 0x10000
      if (start + length > base.length) return undefined
      done += base.copy(target, done, start, start + length)
    } else {
      done += delta.copy(target, done, at, at + command)
      at += command
    }
  }
  return done === target.length ? target : undefined
}

/**
 * The objects of a git repository that are in no pack yet, held open like one: what a command removes while they are held
 * can still be read. Where there are many, only those are held that files of the project are.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
} from 'node:fs'
import { join } from 'node:path'
import { constants as zlib, inflateSync } from 'node:zlib'
import type { GitPack } from './git-pack.ts'
import { sha256Of } from './sha256.ts'

export interface GitLoose extends GitPack {
  /**
   * Opens what may be asked for; asks which blobs those are only when there are too many to open all. False when some
   * could not be opened: they count as not there.
   */
  hold(needed: () => Iterable<string>): boolean
}

/** So many are held without a question. Git packs them by itself from about 6,700 on. */
const FEW = 4096
const MOST_HELD = 32_768
/** `blob 123` and a zero byte. */
const HEAD = /^blob (\d{1,15})\0/
/** Before the first byte stand the tables that it is compressed by. */
const HEAD_BYTES = 1024

export function openGitLoose(objects: string): GitLoose {
  const names = looseIn(objects)
  const there = new Set(names)
  const files = new Map<string, number>()
  const room = Math.min(MOST_HELD, Math.floor(mostFiles() / 2))

  return {
    mark: names.length === 0 ? '' : sha256Of(Buffer.from(names.join('\n'))),
    has: (blob) => there.has(blob),
    hold(needed) {
      let isWhole = true
      for (const blob of names.length <= FEW ? names : needed()) {
        if (!there.has(blob) || openedAt(blob) !== undefined) continue
        there.delete(blob)
        isWhole = false
      }
      return isWhole
    },
    read(blob) {
      const fd = there.has(blob) ? openedAt(blob) : undefined
      return fd === undefined ? undefined : blobIn(bytesOf(fd))
    },
    close() {
      for (const fd of files.values()) closeSync(fd)
      files.clear()
    },
  }

  /** What is found by its content stays held: a file of the project has it. */
  function openedAt(blob: string): number | undefined {
    const open = files.get(blob)
    if (open !== undefined || files.size >= room) return open
    try {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const fd = openSync(join(objects, blob.slice(0, 2), blob.slice(2)), flags)
      files.set(blob, fd)
      return fd
    } catch {
      // Too many for this process, or git tidies up just now.
      return undefined
    }
  }
}

/** Their names, sorted. */
function looseIn(objects: string): readonly string[] {
  const names: string[] = []
  for (const first of readdirSync(objects)) {
    if (!/^[0-9a-f]{2}$/.test(first)) continue
    for (const rest of readdirSync(join(objects, first)))
      if (/^[0-9a-f]{38}$/.test(rest)) names.push(first + rest)
  }
  return names.sort()
}

/** How many files this process may have open. */
function mostFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? USUAL_FILES)
  } catch {
    // Not told here.
    return USUAL_FILES
  }
}

const USUAL_FILES = 2 * FEW

/** From its beginning, however often it was read; nothing of what is no file. */
function bytesOf(fd: number): Buffer {
  const stats = fstatSync(fd)
  const bytes = Buffer.allocUnsafe(stats.isFile() ? stats.size : 0)
  let done = 0
  while (done < bytes.length) {
    const got = readSync(fd, bytes, done, bytes.length - done, done)
    if (got === 0) break
    done += got
  }
  return bytes.subarray(0, done)
}

/** Undefined for what is no blob. */
function blobIn(compressed: Buffer): Buffer | undefined {
  const start = inflateSync(compressed.subarray(0, HEAD_BYTES), {
    finishFlush: zlib.Z_SYNC_FLUSH,
  })
  const head = HEAD.exec(start.toString('latin1'))
  if (head === null) return undefined
  const whole = head[0].length + Number(head[1])
  const bytes = inflateSync(compressed, { maxOutputLength: whole })
  return bytes.length === whole ? bytes.subarray(head[0].length) : undefined
}

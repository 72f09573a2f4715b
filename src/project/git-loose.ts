/**
 * The objects of a git repository that are in no pack yet, held open like one: what a command removes while they are held
 * can still be read. Where there are more than a process should hold open, none of them is taken.
 */
import { closeSync, constants, fstatSync, openSync, readSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { constants as zlib, inflateSync } from 'node:zlib'
import type { GitPack } from './git-pack.ts'
import { sha256Of } from './sha256.ts'

/** Git packs them by itself from about 6,700 on. */
const MOST_LOOSE = 4096
/** `blob 123` and a zero byte. */
const HEAD = /^blob (\d{1,15})\0/
/** Before the first byte stand the tables that it is compressed by. */
const HEAD_BYTES = 1024

export function openGitLoose(objects: string): GitPack {
  const names = looseIn(objects)
  const files = openAll(objects, names)
  return {
    mark: files.size === 0 ? '' : sha256Of(Buffer.from(names.join('\n'))),
    has: (blob) => files.has(blob),
    read(blob) {
      const fd = files.get(blob)
      return fd === undefined ? undefined : blobIn(bytesOf(fd))
    },
    close() {
      for (const fd of files.values()) closeSync(fd)
      files.clear()
    },
  }
}

/** Their names, sorted; none when there are too many. */
function looseIn(objects: string): readonly string[] {
  const names: string[] = []
  for (const first of readdirSync(objects)) {
    if (!/^[0-9a-f]{2}$/.test(first)) continue
    for (const rest of readdirSync(join(objects, first)))
      if (/^[0-9a-f]{38}$/.test(rest)) names.push(first + rest)
    if (names.length > MOST_LOOSE) return []
  }
  return names.sort()
}

function openAll(objects: string, names: readonly string[]): Map<string, number> {
  const files = new Map<string, number>()
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  try {
    for (const name of names)
      files.set(name, openSync(join(objects, name.slice(0, 2), name.slice(2)), flags))
  } catch {
    // Too many for this process, or git tidies up just now: what they have is kept by us.
    for (const fd of files.values()) closeSync(fd)
    files.clear()
  }
  return files
}

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

/**
 * Writes all bytes or throws. A disk that fills up takes the first part of a write and says so only by a
 * smaller count; the reason comes with the next call. So the rest is tried until the system says why not.
 */
import { writevSync } from 'node:fs'
import { FsError } from './fs-error.ts'

export function writeAll(
  fd: number,
  full: string,
  chunks: readonly Uint8Array[],
  position: number,
): void {
  let rest = chunks.filter((chunk) => chunk.length > 0)
  let at = position
  while (rest.length > 0) {
    const count = writevSync(fd, rest, at)
    if (count <= 0) throw new FsError('EIO', full, 'the system wrote nothing and gave no reason')
    at += count
    rest = after(rest, count)
  }
}

function after(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let skip = count
  const rest: Uint8Array[] = []
  for (const chunk of chunks) {
    if (skip < chunk.length) rest.push(skip > 0 ? chunk.subarray(skip) : chunk)
    skip = Math.max(0, skip - chunk.length)
  }
  return rest
}

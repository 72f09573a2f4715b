/**
 * Remembers what the last long line was read as: while a session opens, the same one is looked at from several sides, and
 * reading it may take a quarter of a second each time. Known again by its hash; forgotten after a moment.
 */
import { sha256 } from './range.ts'

/** Shorter lines are read as quickly as they are known again. */
const LONG_BYTES = 256 * 1024
/** What a longer one holds is too much to be kept for a while. */
const MOST_BYTES = 32 * 1024 * 1024
const KEPT_MS = 2000

let last: { readonly hash: string; readonly read: unknown } | undefined
let ends: NodeJS.Timeout | undefined

/** `read` must give the same for the same bytes, and nobody may change what it gave. */
export function readOnce<T>(line: Buffer, read: (line: Buffer) => T): T {
  if (line.length < LONG_BYTES || line.length > MOST_BYTES) return read(line)
  const hash = sha256(line)
  if (last?.hash !== hash) last = { hash, read: read(line) }
  clearTimeout(ends)
  ends = setTimeout(() => (last = undefined), KEPT_MS).unref()
  return last.read as T
}

/**
 * The sessions of a large home as the file system shows them, in numbers and not in objects: of a million of them each
 * object costs more than everything that is known of its session.
 */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { findSessions, newestFound, type FoundSession } from './scan-sessions.ts'

export type FoundMany = {
  /** Newest first, so many at a time. */
  portions(size: number): Generator<FoundSession[]>
  readonly newest: SessionId | undefined
  /** Those of which there is a folder and no more, and those that are not sure. */
  readonly left: SessionId[]
}

const PORTION = 1000
const WIDTH = 3

/** `ids` is emptied. `isSure` says which may be believed when they are read next. */
export async function findMany(
  fs: SessionFs,
  ids: Set<SessionId>,
  isSure: (found: FoundSession) => boolean,
): Promise<FoundMany> {
  const all = [...ids]
  ids.clear()
  const stamps = new Float64Array(all.length * WIDTH)
  const order = new Uint32Array(all.length)
  const left: SessionId[] = []
  let count = 0
  for (let from = 0; from < all.length; from += PORTION) {
    const some = all.slice(from, from + PORTION)
    const { found, empty } = await findSessions(fs, some)
    left.push(...empty)
    const places = new Map(some.map((id, at) => [id, from + at]))
    for (const each of found) {
      const place = places.get(each.id) ?? 0
      if (!isSure(each)) left.push(each.id)
      else order[count++] = place
      stamps.set([each.logMtimeMs, each.folderMtimeMs, each.bytes], place * WIDTH)
    }
  }
  const foundAt = (place: number): FoundSession => ({
    id: all[place] as SessionId,
    logMtimeMs: stamps[place * WIDTH] ?? 0,
    folderMtimeMs: stamps[place * WIDTH + 1] ?? 0,
    bytes: stamps[place * WIDTH + 2] ?? 0,
  })
  const sorted = order.subarray(0, count)
  sorted.sort(
    (one, other) =>
      (stamps[other * WIDTH] ?? 0) - (stamps[one * WIDTH] ?? 0) ||
      newestFound(foundAt(one), foundAt(other)),
  )
  return {
    left,
    newest: count === 0 ? undefined : all[sorted[0] ?? 0],
    *portions(size) {
      for (let at = 0; at < count; at += size)
        yield Array.from(sorted.subarray(at, at + size), foundAt)
    },
  }
}

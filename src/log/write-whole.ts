/** Writes a log that nobody has open yet, in the order given, and syncs it once at the end. */
import { createHash } from 'node:crypto'
import type { ToldDraft } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { logPath } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { reduceDraft } from './blobs.ts'
import { stamp } from './stamp.ts'

export type WholeLog = {
  readonly bytes: number
  readonly sha256: string
  readonly events: number
  /** Of the first so many bytes, for each length that was asked for and is the end of a line. */
  readonly beginnings: ReadonlyMap<number, string>
}

const BUFFERED_BYTES = 1024 * 1024

export async function writeWhole(
  fs: SessionFs,
  dir: string,
  drafts: AsyncIterable<ToldDraft>,
  lengths: ReadonlySet<number> = new Set(),
): Promise<WholeLog> {
  const file = await fs.openAppend(logPath(dir))
  const hash = createHash('sha256')
  const beginnings = new Map<number, string>()
  let lines: Uint8Array[] = []
  let waiting = 0
  let written = 0
  let end: { size: number; lastId: EventId | null } = { size: 0, lastId: null }
  let events = 0
  const flush = async () => {
    if (lines.length === 0) return
    await file.write(lines, written)
    written += waiting
    lines = []
    waiting = 0
  }
  try {
    for await (const draft of drafts) {
      const small = await reduceDraft(fs, dir, draft)
      const told = { ...small, id: draft.id, timestamp: draft.timestamp } as ToldDraft
      const { bytes } = stamp([told], end, NO_SOURCE)
      end = { size: end.size + bytes.length, lastId: draft.id }
      hash.update(bytes)
      if (lengths.has(end.size)) beginnings.set(end.size, hash.copy().digest('hex'))
      lines.push(bytes)
      waiting += bytes.length
      events += 1
      if (waiting >= BUFFERED_BYTES) await flush()
    }
    await flush()
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes: end.size, sha256: hash.digest('hex'), events, beginnings }
}

/** Every draft brings its id and its time. */
const NO_SOURCE = {
  clock: (): Date => new Date(0),
  newId: (): string => {
    throw new TypeError('A draft of a whole log has no id.')
  },
}

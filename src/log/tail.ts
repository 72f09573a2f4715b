/**
 * Follows a log that another process writes: every whole record once, in order, soon after it is there.
 * When the bytes that were followed are no longer those of the log (it was rewound or mended) it says so
 * and begins again at the start. Waits for notices of the file system and looks at nothing in between.
 */
import type { EventId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { deferred } from '../lib/deferred.ts'
import { defined } from '../lib/defined.ts'
import { logPath, ownFolder } from './places.ts'
import { readRange, withFile } from './range.ts'
import { readLog } from './read.ts'
import type { LogBatch } from './record.ts'
import { readableSize } from './redo.ts'

export type Followed = LogBatch | { readonly reset: true }

export type FollowOptions = {
  /** Where a record begins. */
  readonly from: number
  /** The id of the record before `from`, where it is known. */
  readonly previousId?: EventId | null
  readonly signal: AbortSignal
}

/** How many bytes before the place are remembered, to know the log again. */
const MARK_BYTES = 4096

export async function* followLog(
  fs: SessionFs,
  dir: string,
  { from, signal, ...options }: FollowOptions,
): AsyncGenerator<Followed, void, void> {
  let place: Place = { position: from, previousId: options.previousId, mark: undefined }
  const bell = createBell(signal)
  using _log = fs.watch(dir, bell.ring)
  // The end of a redo shows only here.
  using _own = fs.watch(ownFolder(dir), bell.ring)
  while (!signal.aborted) {
    const rung = bell.next() // before looking, so that no change falls between the look and the wait
    const { position } = place
    if (!(await stands(fs, dir, place))) {
      place = { position: 0, previousId: null, mark: undefined }
      yield { reset: true }
      continue
    }
    for await (const batch of readLog(fs, logPath(dir), await restOf(fs, dir, place))) {
      place = await behind(fs, dir, batch, place)
      yield batch
      if (signal.aborted) return
    }
    if (place.position === position) await rung
  }
}

type Place = {
  readonly position: number
  readonly previousId: EventId | null | undefined
  /** The bytes before the position, as they were when it was reached. */
  readonly mark: Buffer | undefined
}

async function restOf(fs: SessionFs, dir: string, { position, previousId }: Place) {
  return {
    from: position,
    to: await readableSize(fs, dir),
    wholeLinesOnly: true,
    ...defined({ previousId }),
  }
}

async function stands(fs: SessionFs, dir: string, { position, mark }: Place): Promise<boolean> {
  if ((await readableSize(fs, dir)) < position) return false
  if (mark === undefined) return true
  return (await bytesBefore(fs, dir, position))?.equals(mark) === true
}

async function behind(fs: SessionFs, dir: string, batch: LogBatch, last: Place): Promise<Place> {
  const record = batch.records.at(-1)
  const mark = await bytesBefore(fs, dir, batch.end)
  // Between reading and remembering the log may have been cut and written again.
  const isShort = record !== undefined && batch.end - record.start <= MARK_BYTES
  const isOther = isShort && mark?.includes(JSON.stringify(record.event.id)) !== true
  return {
    position: isOther ? Number.MAX_SAFE_INTEGER : batch.end,
    previousId: record?.event.id ?? last.previousId,
    mark,
  }
}

function bytesBefore(fs: SessionFs, dir: string, end: number): Promise<Buffer | undefined> {
  const range = { start: Math.max(0, end - MARK_BYTES), end }
  return withFile(fs, logPath(dir), (log) => readRange(log, range))
}

/** Rings that come between two waits are not lost. An abort rings too. */
function createBell(signal: AbortSignal): { ring: () => void; next: () => Promise<void> } {
  let waiter = deferred<void>()
  const ring = () => waiter.resolve()
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    next() {
      waiter = deferred<void>()
      if (signal.aborted) waiter.resolve()
      return waiter.promise
    },
  }
}

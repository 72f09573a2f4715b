/**
 * Removes an event and all after it from a log. The removed bytes are durable beside it first; the cut is the
 * moment at which it happens, so a crash leaves the log as before or as after. The cost is what is removed.
 */
import type { EventId } from '../format/ids.ts'
import type { Spent } from '../format/spent.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Appender } from './append.ts'
import { EventNotFound, StartNotRemovable } from './errors.ts'
import { findEvent, idBefore, type FoundEvent } from './find.ts'
import { logPath } from '../format/paths.ts'
import { copyRange, readRange, withFile, type Range } from './range.ts'
import { readLog } from './read.ts'
import { bytesPath, describeEntry, nextEntry, removeEntry } from './undo-log.ts'
import { NEWLINE } from './split.ts'

export type Truncated = {
  readonly eventsRemoved: number
  readonly cutAt: number
  /** NNN under `.reprise/rewound/`. */
  readonly entry: string
}

/** Where an event stands and how many it and those after it are, as a folded state knows it. */
type Expected = { readonly start: number; readonly eventsFrom: number }

export type TruncateOptions = {
  /** A caller that knows where the event stands spares the search for it. */
  readonly expected?: Expected
  /** What was used in the turns that go. */
  readonly spent?: readonly Spent[]
  /** What says more of the log than it will have goes first. */
  readonly beforeCut?: (cutAt: number) => Promise<void>
}

export async function truncateBefore(
  fs: SessionFs,
  dir: string,
  appender: Appender,
  eventId: EventId,
  { now, expected, spent, beforeCut }: TruncateOptions & { readonly now: Date },
): Promise<Truncated> {
  return appender.alone(async (open, { size }) => {
    const found = await removable(fs, dir, eventId, expected)
    const { start } = found.record
    const isLineStart = await endsLine(fs, dir, start)
    const cutAt = isLineStart ? start : start + 1
    const entry = await nextEntry(fs, dir)
    const file = await open()
    try {
      const sha256 = await keepSuffix(fs, dir, entry, { start, end: size })
      await describeEntry(fs, dir, entry, {
        version: 1,
        upToEventId: eventId,
        eventsRemoved: found.eventsFrom,
        cutAt,
        lastKeptId: found.previousId,
        removedBytes: size - start,
        rewoundAt: now.toISOString(),
        sha256,
        ...(spent !== undefined && { spent: [...spent] }),
      })
      await beforeCut?.(start)
      await file.truncate(start)
      // A record that was glued to another leaves a line without its end.
      if (!isLineStart) await file.write([Buffer.from('\n')], start)
      await file.sync()
      const result = { eventsRemoved: found.eventsFrom, cutAt, entry }
      return { size: cutAt, lastId: found.previousId, result }
    } catch (cause) {
      // After a cut the entry holds the only copy: the next open decides what became of it.
      const isUncut = (await file.size().catch(() => 0)) === size
      // An entry without its cut is removed by the next open as well; the cause of the failure is what is told.
      if (isUncut) await removeEntry(fs, dir, entry).catch(() => {})
      throw cause
    }
  })
}

async function removable(
  fs: SessionFs,
  dir: string,
  eventId: EventId,
  expected: Expected | undefined,
): Promise<FoundEvent> {
  const found =
    (expected && (await standing(fs, dir, eventId, expected))) ??
    (await findEvent(fs, logPath(dir), eventId))
  if (found === undefined) throw new EventNotFound(eventId)
  if (found.previousId === null || found.record.event.type === 'session.start') {
    throw new StartNotRemovable(eventId)
  }
  return found
}

/** Undefined unless the event begins a line at the expected place: what is expected is believed only as far as it is seen. */
async function standing(
  fs: SessionFs,
  dir: string,
  eventId: EventId,
  { start, eventsFrom }: Expected,
): Promise<FoundEvent | undefined> {
  if (start === 0 || !(await endsLine(fs, dir, start))) return undefined
  const from = { from: start, chunkBytes: FIRST_CHUNK_BYTES }
  for await (const { records } of readLog(fs, logPath(dir), from)) {
    const [record] = records
    if (record?.event.id !== eventId || record.start !== start) return undefined
    return { record, previousId: await idBefore(fs, logPath(dir), start), eventsFrom }
  }
  return undefined
}

/** Holds most prompts: only the first record is wanted. */
const FIRST_CHUNK_BYTES = 4 * 1024

async function endsLine(fs: SessionFs, dir: string, at: number): Promise<boolean> {
  const before = { start: at - 1, end: at }
  const byte = await withFile(fs, logPath(dir), (log) => readRange(log, before))
  return byte?.[0] === NEWLINE
}

const keepSuffix = (
  fs: SessionFs,
  dir: string,
  entry: string,
  range: Range,
): Promise<string | undefined> =>
  withFile(fs, logPath(dir), (log) => copyRange(fs, log, range, bytesPath(dir, entry)))

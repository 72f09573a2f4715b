/**
 * Removes an event and all after it from a log. The removed bytes are durable beside it first; the cut is the
 * moment at which it happens, so a crash leaves the log as before or as after. The cost is what is removed.
 */
import type { EventId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Appender } from './append.ts'
import { EventNotFound, StartNotRemovable } from './errors.ts'
import { findEvent } from './find.ts'
import type { FoundEvent } from './find.ts'
import { logPath } from './places.ts'
import { copyRange, readRange, withFile } from './range.ts'
import type { Range } from './range.ts'
import { bytesPath, describeEntry, nextEntry, removeEntry } from './rewound.ts'
import { NEWLINE } from './split.ts'

export type Truncated = {
  readonly eventsRemoved: number
  readonly cutAt: number
  /** NNN under `.reprise/rewound/`. */
  readonly entry: string
}

export async function truncateBefore(
  fs: SessionFs,
  dir: string,
  appender: Appender,
  eventId: EventId,
  now: Date,
): Promise<Truncated> {
  return appender.alone(async (open, { size }) => {
    const found = await removable(fs, dir, eventId)
    const { start } = found.record
    const isLineStart = await endsLine(fs, dir, start)
    const cutAt = isLineStart ? start : start + 1
    const entry = await nextEntry(fs, dir)
    const file = await open()
    try {
      await keepSuffix(fs, dir, entry, { start, end: size })
      await describeEntry(fs, dir, entry, {
        version: 1,
        upToEventId: eventId,
        eventsRemoved: found.eventsFrom,
        cutAt,
        lastKeptId: found.previousId,
        removedBytes: size - start,
        rewoundAt: now.toISOString(),
      })
      await file.truncate(start)
      // A record that was glued to another leaves a line without its end.
      if (!isLineStart) await file.write([Buffer.from('\n')], start)
      await file.sync()
      const result = { eventsRemoved: found.eventsFrom, cutAt, entry }
      return { size: cutAt, lastId: found.previousId, result }
    } catch (cause) {
      // After a cut the entry holds the only copy: the next open decides what became of it.
      const isUncut = (await file.size().catch(() => 0)) === size
      if (isUncut) await removeEntry(fs, dir, entry).catch(() => {})
      throw cause
    }
  })
}

async function removable(fs: SessionFs, dir: string, eventId: EventId): Promise<FoundEvent> {
  const found = await findEvent(fs, logPath(dir), eventId)
  if (found === undefined) throw new EventNotFound(eventId)
  if (found.previousId === null || found.record.event.type === 'session.start') {
    throw new StartNotRemovable(eventId)
  }
  return found
}

async function endsLine(fs: SessionFs, dir: string, at: number): Promise<boolean> {
  const before = { start: at - 1, end: at }
  const byte = await withFile(fs, logPath(dir), (log) => readRange(log, before))
  return byte?.[0] === NEWLINE
}

const keepSuffix = (fs: SessionFs, dir: string, entry: string, range: Range) =>
  withFile(fs, logPath(dir), (log) => copyRange(fs, log, range, bytesPath(dir, entry)))

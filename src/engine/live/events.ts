/** Pages of a session's events, from either end, without opening the session. */
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { jsonItems } from '../../log/json-items.ts'
import { readBackward } from '../../log/backward.ts'
import { readLog } from '../../log/read.ts'
import type { Finding, LogRecord } from '../../log/record.ts'
import { readableSize } from '../../log/redo.ts'
import type { EngineContext } from '../engine-context.ts'
import { notePlaces, placeOf } from './event-places.ts'
import { requireSession } from './not-found-reason.ts'
import { logPath } from '../../format/paths.ts'

export type EventQuery = {
  readonly direction?: 'forward' | 'backward'
  /** Exclusive: forward, events after it; backward, events before it. */
  readonly cursor?: EventId
  readonly limit?: number
}

export type EventPage = {
  readonly events: readonly (Event | Stranger)[]
  /** More events lie in the direction of the query. */
  readonly more: boolean
  readonly findings: readonly Finding[]
}

export async function readEvents(
  engine: EngineContext,
  id: SessionId,
  { direction = 'forward', cursor, limit = Infinity }: EventQuery = {},
): Promise<EventPage> {
  const dir = await requireSession(engine, id)
  const size = await readableSize(engine.fs, dir)
  const place = cursor === undefined ? undefined : await placeOf(engine, id, dir, cursor)
  const batches =
    direction === 'forward'
      ? readLog(engine.fs, logPath(dir), { from: place?.end ?? 0, to: size })
      : readBackward(engine.fs, logPath(dir), { before: place?.start ?? size })
  const records: LogRecord[] = []
  const findings: Finding[] = []
  for await (const batch of batches) {
    for (const record of batch.records) {
      if (records.length === limit) {
        notePlaces(engine, dir, records)
        return page(records, findings, true)
      }
      records.push(record)
    }
    findings.push(...batch.findings)
  }
  notePlaces(engine, dir, records)
  return page(records, findings, false)
}

/**
 * Every event of the log as JSON, in parts that together are the items of a list with commas between them. A log is JSON
 * already: a hundred thousand events are not taken apart and written anew to be passed on.
 */
export async function eventItems(
  engine: EngineContext,
  id: SessionId,
): Promise<readonly Uint8Array[]> {
  const dir = await requireSession(engine, id)
  const to = await readableSize(engine.fs, dir)
  const parts: Uint8Array[] = []
  for await (const batch of readLog(engine.fs, logPath(dir), { to })) {
    if (batch.records.length > 0) parts.push(jsonItems(batch))
  }
  const last = parts.pop()
  return last === undefined ? [] : [...parts, last.subarray(0, -1)]
}

const page = (
  records: readonly LogRecord[],
  findings: readonly Finding[],
  more: boolean,
): EventPage => ({
  events: records.map(({ event }) => event),
  more,
  findings,
})

export async function* rawLog(
  engine: EngineContext,
  id: SessionId,
): AsyncGenerator<Uint8Array, void, undefined> {
  const dir = await requireSession(engine, id)
  const size = await readableSize(engine.fs, dir)
  const file = await engine.fs.openRead(logPath(dir))
  if (file === undefined) return
  try {
    for (let position = 0; position < size;) {
      const chunk = new Uint8Array(Math.min(1024 * 1024, size - position))
      const count = await file.read(chunk, position)
      if (count === 0) return
      yield chunk.subarray(0, count)
      position += count
    }
  } finally {
    await file.close()
  }
}

/**
 * Where events stand in a log, as far as it is known: finding one by its id costs the way from the end of the log to it,
 * and who reads a long session in pages asks for the ends of pages again and again. What is known is looked at before
 * it is believed, so a rewind makes nothing wrong.
 */
import type { EventId, SessionId } from '../../format/ids.ts'
import { logPath } from '../../format/paths.ts'
import { findEvent } from '../../log/find.ts'
import { readLog } from '../../log/read.ts'
import type { LogRecord } from '../../log/record.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf } from './live-session.ts'

/** Of each engine, by session and event: the byte at which the event begins. */
const known = new WeakMap<EngineContext, Map<string, number>>()
const MOST_KNOWN = 2000

const nameOf = (dir: string, id: EventId): string => `${dir} ${id}`

/** The ends of a page: what the next one is asked for by. */
export function notePlaces(engine: EngineContext, dir: string, page: readonly LogRecord[]): void {
  const places = known.get(engine) ?? new Map<string, number>()
  known.set(engine, places)
  for (const record of [page[0], page.at(-1)])
    if (record !== undefined) places.set(nameOf(dir, record.event.id as EventId), record.start)
  // The oldest come first.
  for (const name of places.keys()) {
    if (places.size <= MOST_KNOWN) break
    places.delete(name)
  }
}

/** Throws `expired` when it is not in the log. */
export async function placeOf(
  engine: EngineContext,
  id: SessionId,
  dir: string,
  event: EventId,
): Promise<LogRecord> {
  const start = known.get(engine)?.get(nameOf(dir, event)) ?? turnStart(engine, id, event)
  const found =
    (start === undefined ? undefined : await recordAt(engine, dir, start, event)) ??
    (await findEvent(engine.fs, logPath(dir), event))?.record
  if (found !== undefined) return found
  throw new EngineError(
    'expired',
    `Event ${event} is not in this session: it was rewound, or never was in it. Read from the beginning.`,
    { details: { eventId: event } },
  )
}

/** Of an open session the state has where each turn begins. */
function turnStart(engine: EngineContext, id: SessionId, event: EventId): number | undefined {
  const session = engine.live.get(id)
  return session && stateOf(session).turns.find(({ eventId }) => eventId === event)?.start
}

/** Undefined when something else stands there now. */
async function recordAt(
  { fs }: EngineContext,
  dir: string,
  start: number,
  event: EventId,
): Promise<LogRecord | undefined> {
  for await (const { records } of readLog(fs, logPath(dir), { from: start })) {
    const [first] = records
    if (first !== undefined) return first.event.id === event ? first : undefined
  }
  return undefined
}

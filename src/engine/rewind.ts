/**
 * Rewind removes an event and all after it, and loses nothing: the removed bytes stay beside the log and
 * `redo` brings them back. The cut of the log is the moment at which it happens; everything else is aligned
 * with the log afterwards, and again whenever the session is opened.
 */
import type { EventId, SessionId } from '../format/ids.ts'
import { findEvent } from '../log/find.ts'
import { rewindPoints } from '../state/turns.ts'
import type { RewindPoint } from '../state/turns.ts'
import { alignCheckpoints } from './align.ts'
import type { EngineContext } from './context.ts'
import { EngineError } from './errors.ts'
import { forget, keepSnapshot, learn } from './knowledge.ts'
import { requireIdle, stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'
import { logPath } from './places.ts'
import { withWriter } from './writer.ts'
import type { WriterOptions } from './writer.ts'

export type RewindPreview = {
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly eventsRemoved: number
  readonly turnsRemoved: number
  readonly checkpointsRemoved: number
  readonly bytesRemoved: number
}

export type RewindResult = RewindPreview & { readonly sessionId: SessionId }

/** Newest first. */
export const points = (session: LiveSession): readonly RewindPoint[] =>
  rewindPoints(stateOf(session))

export async function preview(
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
): Promise<RewindPreview> {
  const state = stateOf(session)
  const point = rewindPoints(state).find((candidate) => candidate.eventId === eventId)
  const at = point ?? (await placeOf(engine, session, eventId))
  const gone = <T extends { start: number }>(items: readonly T[]) =>
    items.filter(({ start }) => start >= at.start).length
  return {
    eventId,
    prompt: point?.preview ?? '',
    at: at.at,
    eventsRemoved: at.eventsRemoved,
    turnsRemoved: gone(state.turns),
    checkpointsRemoved: gone(state.compaction.checkpoints),
    bytesRemoved: state.size - at.start,
  }
}

export async function rewind(
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
  options: WriterOptions = {},
): Promise<RewindResult> {
  requireIdle(session, 'rewind')
  return withWriter(engine, session, options, async ({ log }) => {
    const expected = await preview(engine, session, eventId)
    const { eventsRemoved, cutAt } = await log.truncateBefore(eventId)
    await forget(engine.fs, session.dir, session.knowledge, cutAt)
    session.context = undefined
    // The cut has happened: whoever watches learns of it, whatever becomes of the files beside the log.
    session.feed.reset(cutAt, eventId)
    session.feed.tell({
      type: 'session.snapshot_rewind',
      data: { upToEventId: eventId, eventsRemoved },
    })
    await alignCheckpoints(engine, session)
    await keepSnapshot(engine.fs, session.dir, session.knowledge, { always: true })
    return { ...expected, eventsRemoved, sessionId: session.id }
  })
}

/** Rewinds the last turns. */
export async function undo(
  engine: EngineContext,
  session: LiveSession,
  { turns = 1, ...options }: WriterOptions & { turns?: number } = {},
): Promise<RewindResult> {
  if (!Number.isInteger(turns) || turns < 1) {
    throw new EngineError(
      'invalid',
      'The number of turns to undo must be 1 or more. Nothing was changed.',
    )
  }
  await session.observer.refresh()
  const all = points(session)
  const target = all[turns - 1]
  if (target === undefined) {
    throw new EngineError(
      'invalid',
      `Session ${session.id} has ${all.length} turn${all.length === 1 ? '' : 's'}; cannot undo ${turns}. Nothing was changed.`,
    )
  }
  return rewind(engine, session, target.eventId, options)
}

/** Brings back what the last rewind removed, unless the session has gone on since. */
export async function redo(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions = {},
): Promise<{ sessionId: SessionId; eventsRestored: number }> {
  requireIdle(session, 'redo')
  return withWriter(engine, session, options, async ({ log }) => {
    const { records } = await log.redo()
    learn(session.knowledge, records)
    session.feed.publish(records)
    await alignCheckpoints(engine, session)
    return { sessionId: session.id, eventsRestored: records.length }
  })
}

async function placeOf(engine: EngineContext, session: LiveSession, eventId: EventId) {
  const found = await findEvent(engine.fs, logPath(session.dir), eventId)
  if (found === undefined) {
    throw new EngineError(
      'not_found',
      `Event ${eventId} not found in session ${session.id}. Nothing was changed.`,
      {
        details: { eventId },
      },
    )
  }
  return {
    start: found.record.start,
    at: found.record.event.timestamp,
    eventsRemoved: found.eventsFrom,
  }
}

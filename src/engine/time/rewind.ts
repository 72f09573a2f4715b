/**
 * Rewind removes an event and all after it, and loses nothing: the removed bytes stay beside the log and
 * `redo` brings them back. The cut of the log is the moment at which it happens; everything else is aligned
 * with the log afterwards, and again whenever the session is opened.
 */
import type { EventId, SessionId } from '../../format/ids.ts'
import { count, traced } from '../../lib/telemetry.ts'
import { findEvent } from '../../log/find.ts'
import { rewindPoint, rewindPoints } from '../../state/turns.ts'
import type { RewindPoint } from '../../state/turns.ts'
import { wordyEvents } from '../../state/wordy-events.ts'
import { alignCheckpoints, alignName } from './align.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { learnAndTell } from '../live/commit.ts'
import { cutBack, keepSnapshot } from '../live/folded-log.ts'
import { NO_FILES, applyFiles, planFiles, planFilesBack, previewOf } from './rewind-files.ts'
import type { FilePreview, RewoundFiles } from './rewind-files.ts'
import { writeNote } from './rewind-note.ts'
import { requireIdle, stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { logPath } from '../../format/paths.ts'
import { withWriter } from '../live/writer.ts'
import type { WriterOptions } from '../live/writer.ts'

export type RewindPreview = {
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly eventsRemoved: number
  readonly turnsRemoved: number
  readonly checkpointsRemoved: number
  readonly bytesRemoved: number
  /** What would become of files that were changed since; empty when nothing was recorded. */
  readonly files: readonly FilePreview[]
}

/** `conversation` keeps files as they are, the plan of the session too. */
export type RewindMode = 'conversation' | 'conversation-and-files'
/** For every surface: whoever takes a turn back takes back what it did. */
const DEFAULT_MODE: RewindMode = 'conversation-and-files'
export type RewindOptions = WriterOptions & { readonly mode?: RewindMode }

export type RewindResult = Omit<RewindPreview, 'files'> &
  RewoundFiles & {
    readonly sessionId: SessionId
    readonly mode: RewindMode
  }

/** Newest first. */
export const points = (session: LiveSession): readonly RewindPoint[] =>
  rewindPoints(stateOf(session))

export async function preview(
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
): Promise<RewindPreview> {
  const expected = await measure(engine, session, eventId)
  const cutAt = stateOf(session).size - expected.bytesRemoved
  const plan = await planFiles(engine, session, cutAt)
  return { ...expected, files: previewOf(engine, session, plan) }
}

async function measure(
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
): Promise<Omit<RewindPreview, 'files'>> {
  const state = stateOf(session)
  const point = rewindPoint(state, eventId)
  const at = point ?? (await placeOf(engine, session, eventId))
  // In the order of the log, so the search ends where the kept ones do.
  const gone = (items: readonly { readonly start: number }[]) =>
    items.length - 1 - items.findLastIndex(({ start }) => start < at.start)
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

export const rewind = (
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
  options: RewindOptions = {},
): Promise<RewindResult> =>
  traced(
    'session_snapshot_rewind',
    {
      session_id: session.id,
      // Notices have no id; this one stands for the rewind itself.
      event_id: crypto.randomUUID(),
      up_to_event_id: eventId,
      mode: options.mode ?? DEFAULT_MODE,
    },
    () => cut(engine, session, eventId, options),
    ({ eventsRemoved, turnsRemoved }) => {
      count('events_removed', eventsRemoved)
      return { events_removed: eventsRemoved, turns_removed: turnsRemoved }
    },
  )

async function cut(
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
  { mode = DEFAULT_MODE, ...options }: RewindOptions,
): Promise<RewindResult> {
  requireIdle(session, 'rewind')
  return withWriter(engine, session, options, async ({ log }) => {
    const expected = await measure(engine, session, eventId)
    const start = stateOf(session).size - expected.bytesRemoved
    const plan = mode === 'conversation' ? NO_FILES : await planFiles(engine, session, start)
    // Files first: if they cannot be had back, they are as they were and so is the conversation.
    const { restores, ...files } = await applyFiles(
      engine,
      session,
      plan,
      'The conversation was left as it was.',
    )
    const { eventsRemoved, cutAt, entry } = await log.truncateBefore(eventId, {
      start,
      eventsFrom: expected.eventsRemoved,
    })
    await cutBack(engine.fs, session.dir, session.folded, cutAt)
    session.context = undefined
    session.written.isAtCut = true
    // The cut has happened: whoever watches learns of it, whatever becomes of the files beside the log.
    session.feed.reset(cutAt, eventId)
    engine.changes.tell({ kind: 'reset', id: session.id, cutAt })
    session.feed.tell({
      type: 'session.snapshot_rewind',
      data: { upToEventId: eventId, eventsRemoved },
    })
    await writeNote(engine.fs, session.dir, entry, restores)
    await alignCheckpoints(engine, session)
    if (stateOf(session).turns.length === 0) await alignName(engine, session)
    await keepSnapshot(engine.fs, session.dir, session.folded, { always: false })
    return { ...expected, ...files, eventsRemoved, mode, sessionId: session.id }
  })
}

/** Rewinds the last turns. */
export async function undo(
  engine: EngineContext,
  session: LiveSession,
  { turns = 1, ...options }: RewindOptions & { turns?: number } = {},
): Promise<RewindResult> {
  if (!Number.isInteger(turns) || turns < 1) {
    throw new EngineError(
      'invalid',
      'The number of turns to undo must be 1 or more. Nothing was changed.',
    )
  }
  await session.watcher.refresh()
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

export type RedoResult = Omit<RewoundFiles, 'filesUnrecorded'> & {
  readonly sessionId: SessionId
  readonly eventsRestored: number
}

/** Brings back what the last rewind removed, unless the session has gone on since. */
export const redo = (
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions = {},
): Promise<RedoResult> =>
  traced(
    'redo',
    { session_id: session.id },
    () => bringBack(engine, session, options),
    ({ eventsRestored }) => ({ events_restored: eventsRestored }),
  )

async function bringBack(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
): Promise<RedoResult> {
  requireIdle(session, 'redo')
  return withWriter(engine, session, options, async ({ log }) => {
    const entry = (await log.rewound()).at(-1)?.entry
    const { feed } = session
    const { eventsRestored } = await log.redo({
      // Nobody is shown what nobody watches.
      ...(!feed.watched && { skim: wordyEvents }),
      onRestored: (records) => learnAndTell(engine, session, records),
    })
    await alignCheckpoints(engine, session)
    await alignName(engine, session)
    const plan = await planFilesBack(engine, session, entry)
    const { restoredFiles, skippedFiles } = await applyFiles(
      engine,
      session,
      plan,
      'The conversation is back.',
    )
    return { sessionId: session.id, eventsRestored, restoredFiles, skippedFiles }
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

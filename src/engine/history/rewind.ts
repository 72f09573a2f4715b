/**
 * Rewind removes an event and all after it, and loses nothing: the removed bytes stay beside the log and
 * `redo` brings them back. The change of the log is the moment at which it happens, with files or without; what a
 * process left half done is settled before anything is planned, and by the next opening for writing.
 */
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { count, traced } from '../../lib/telemetry.ts'
import type { Lease } from '../../log/lease-hold.ts'
import { listRewound } from '../../log/undo-log.ts'
import { findEvent } from '../../log/find.ts'
import { readLog } from '../../log/read.ts'
import type { Truncated } from '../../log/truncate.ts'
import { spentIn } from '../../state/spent.ts'
import { rewindPoint, rewindPoints, type RewindPoint } from '../../state/turns.ts'
import { wordyEvents } from '../../state/wordy-events.ts'
import { alignCheckpoints, alignName, nameInLog } from './align.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { NothingToRedo } from '../../log/errors.ts'
import { learnAndTell } from '../live/commit.ts'
import { cutBack, replaceSnapshot } from '../live/folded-log.ts'
import {
  NO_FILES,
  applyFiles,
  planFiles,
  planFilesBack,
  previewOf,
  type FilePreview,
  type RewoundFiles,
} from './rewind-files.ts'
import { bringFilesBack, takeFilesBack } from './rewind-files-only.ts'
import { settleFiles } from './session-files.ts'
import { requireIdle, stateOf, type LiveSession } from '../live/live-session.ts'
import { inSession, logPath } from '../../format/paths.ts'
import { withWriter, type WriterOptions } from '../live/writer.ts'

export type RewindPreview = {
  readonly eventId: EventId
  readonly prompt: string
  readonly at: string
  readonly eventsRemoved: number
  /** What the log holds afterwards. */
  readonly eventsKept: number
  readonly turnsRemoved: number
  readonly checkpointsRemoved: number
  readonly bytesRemoved: number
  /** What would become of files that were changed since; empty when nothing was recorded. */
  readonly files: readonly FilePreview[]
}

/** `conversation` keeps files as they are, the plan of the session too; `files` keeps the conversation. */
export type RewindMode = 'conversation' | 'conversation-and-files' | 'files'
/** The same on every surface: a turn that is taken back takes with it what it did. */
const DEFAULT_MODE: RewindMode = 'conversation-and-files'
export type RewindOptions = WriterOptions & { readonly mode?: RewindMode }

export type RewindResult = Omit<RewindPreview, 'files'> &
  RewoundFiles & {
    readonly sessionId: SessionId
    readonly mode: RewindMode
    /** By a process that was killed right after it: where this was said again, it took one more back. */
    readonly alreadyTaken?: AlreadyTaken
  }

/** The first turn that had been taken back, and when. */
type AlreadyTaken = { readonly turn: number; readonly at: string }

/** Newest first. */
export const points = (session: LiveSession): readonly RewindPoint[] =>
  rewindPoints(stateOf(session))

export async function preview(
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
): Promise<RewindPreview> {
  await settleFirst(engine, session)
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
    eventsKept: state.eventCount - at.eventsRemoved,
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
  return withWriter(engine, session, options, async ({ log, lease }) => {
    await requireSettled(engine, session)
    const expected = await measure(engine, session, eventId)
    const alreadyTaken = await takenByTheDead(engine, session, lease)
    const start = stateOf(session).size - expected.bytesRemoved
    if (mode === 'files') {
      const taken = await takeFilesBack(engine, session, { eventId, cutAt: start })
      const { eventCount } = stateOf(session)
      return {
        ...expected,
        ...NOTHING_SAID,
        ...taken,
        eventsKept: eventCount,
        mode,
        sessionId: session.id,
      }
    }
    const plan = mode === 'conversation' ? NO_FILES : await planFiles(engine, session, start)
    let { eventsRemoved, eventsKept } = expected
    const name = nameInLog(session)
    const files = await applyFiles(engine, session, plan, {
      direction: 'rewind',
      eventId,
      async changeLog() {
        const removed = readLog(engine.fs, logPath(session.dir), { from: start, skim: wordyEvents })
        const cutting = await log.truncateBefore(eventId, {
          expected: { start, eventsFrom: eventsRemoved },
          spent: await spentIn(removed, stateOf(session).model),
        })
        eventsRemoved = cutting.eventsRemoved
        await tellCut(engine, session, eventId, cutting)
        eventsKept = stateOf(session).eventCount
      },
    })
    await alignCheckpoints(engine, session)
    await alignName(engine, session, name)
    // What was taken back stands in `rewound/` and nowhere else.
    await replaceSnapshot(engine.fs, session.dir, session.folded)
    const told = { eventsRemoved, eventsKept, mode, sessionId: session.id }
    return { ...expected, ...files, ...told, ...defined({ alreadyTaken }) }
  })
}

/** The log still ends where the process before this one cut it, and that process never came to its end. */
async function takenByTheDead(
  { fs }: EngineContext,
  session: LiveSession,
  { takenOver, since }: Lease,
): Promise<AlreadyTaken | undefined> {
  if (takenOver !== 'dead') return undefined
  const last = (await listRewound(fs, session.dir)).at(-1)
  const { size, turns } = stateOf(session)
  return last?.cutAt === size && last.rewoundAt < since
    ? { turn: turns.length + 1, at: last.rewoundAt }
    : undefined
}

const NOTHING_SAID = {
  eventsRemoved: 0,
  turnsRemoved: 0,
  checkpointsRemoved: 0,
  bytesRemoved: 0,
} as const

/** The cut has happened: the followers learn of it, whatever becomes of the files beside the log. */
async function tellCut(
  engine: EngineContext,
  session: LiveSession,
  eventId: EventId,
  { cutAt, eventsRemoved }: Truncated,
): Promise<void> {
  await cutBack(engine.fs, session.dir, session.folded, cutAt)
  session.context = undefined
  session.written.isAtCut = true
  session.feed.reset(cutAt, eventId)
  engine.changes.tell({ kind: 'reset', id: session.id, cutAt })
  session.feed.tell({
    type: 'session.snapshot_rewind',
    data: { upToEventId: eventId, eventsRemoved },
  })
}

/** What an earlier process left half done comes first: nothing is planned from it. */
async function settleFirst(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions = {},
): Promise<void> {
  const { fs } = engine
  const intents = [inSession(session.dir, 'restoreIntent'), inSession(session.dir, 'redoIntent')]
  if ((await fs.statMany(intents)).every((stat) => stat === undefined)) return
  await withWriter(engine, session, options, () => requireSettled(engine, session))
  await session.watcher.refresh()
}

async function requireSettled(engine: EngineContext, session: LiveSession): Promise<void> {
  const { unsettled } = await settleFiles(engine, session)
  if (unsettled.length === 0) return
  throw new EngineError(
    'conflict',
    `An earlier undo or redo of files could not be settled (${unsettled.join('; ')}). Nothing was changed.`,
  )
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
  await settleFirst(engine, session, options)
  await session.watcher.refresh()
  const all = points(session)
  const target = all[turns - 1]
  if (target === undefined) {
    throw new EngineError(
      'invalid',
      `Session ${session.id} has ${all.length} turn${all.length === 1 ? '' : 's'}; cannot undo ${turns}. Nothing was changed.`,
    )
  }
  return rewind(engine, session, target.eventId, options).catch((cause: unknown) => {
    if (!(cause instanceof EngineError) || cause.code !== 'not_found') throw cause
    throw new EngineError(
      'conflict',
      `Turn ${all.length - turns + 1} of session ${session.id} was taken back meanwhile, by another process. Nothing was changed.`,
      { cause },
    )
  })
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
  if (!session.written.hasLog) throw new NothingToRedo('nothing was rewound')
  return withWriter(engine, session, options, async ({ log }) => {
    await requireSettled(engine, session)
    const files = await bringFilesBack(engine, session)
    if (files !== undefined) return { sessionId: session.id, eventsRestored: 0, ...files }
    const { entry, upToEventId } = await log.redoable()
    const name = nameInLog(session)
    const { feed } = session
    let eventsRestored = 0
    const plan = await planFilesBack(engine, session, entry)
    const { filesUnrecorded: _, ...told } = await applyFiles(engine, session, plan, {
      direction: 'redo',
      eventId: upToEventId,
      entry,
      async changeLog() {
        const back = await log.redo({
          // Nobody is shown what nobody watches.
          ...(!feed.watched && { skim: wordyEvents }),
          onRestored: (records) => learnAndTell(engine, session, records),
        })
        eventsRestored = back.eventsRestored
      },
    })
    await alignCheckpoints(engine, session)
    await alignName(engine, session, name)
    return { sessionId: session.id, eventsRestored, ...told }
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

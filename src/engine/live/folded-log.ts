/**
 * What this process knows of a session's log: the folded state, up to a place. It is derived, and can be
 * thrown away: `load` rebuilds it from a snapshot and the bytes after it, `catchUp` adds what others wrote,
 * `cutBack` goes back to an earlier place after a cut. Cost follows the bytes that are new, not the log.
 */
import type { EventId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import type { Finding, LogRecord } from '../../log/record.ts'
import { readLog } from '../../log/read.ts'
import { readableSize } from '../../log/redo.ts'
import { readAnySnapshot, writeSnapshot } from '../../log/snapshot.ts'
import { restore, type FoldPoint } from '../../state/fold-points.ts'
import { STATE_VERSION, createFolder, type Folder } from '../../state/fold.ts'
import type { SessionState } from '../../state/session-state.ts'
import { wordyEvents } from '../../state/wordy-events.ts'
import { inSession, logPath } from '../../format/paths.ts'

export type FoldedLog = {
  folder: Folder
  /** Earlier states, close together at the end and wider apart before: a rewind folds that much, and not the log. */
  points: PlacedPoint[]
  /** Where the last event stands: the proof, later, that the log is still the one that was folded. */
  last: LastEvent | undefined
  findings: Finding[]
  snapshotAt: number
}

type LastEvent = { readonly id: EventId; readonly start: number; readonly end: number }

type PlacedPoint = FoldPoint & { readonly last: LastEvent }

type Stored = {
  readonly state: SessionState
  readonly points: readonly PlacedPoint[]
  readonly last: LastEvent
}

/** Far from the end, and in the last stretch, where most rewinds go. */
const POINT_EVERY_BYTES = 512 * 1024
const LATE_POINT_EVERY_BYTES = 64 * 1024
const LATE_BYTES = 1024 * 1024
const SNAPSHOT_EVERY_BYTES = 256 * 1024
const MAX_FINDINGS = 100

export const emptyFoldedLog = (): FoldedLog => ({
  folder: createFolder(),
  points: [],
  last: undefined,
  findings: [],
  snapshotAt: 0,
})

export async function load(fs: SessionFs, dir: string): Promise<FoldedLog> {
  const snapshot = await readAnySnapshot<Stored>(fs, dir, { stateVersion: STATE_VERSION })
  if (snapshot !== undefined) {
    try {
      return await loadFrom(fs, dir, snapshot)
    } catch {
      // A snapshot is derived: the whole log is folded instead, and a fault of the disk is met again there.
    }
  }
  return loadFrom(fs, dir, undefined)
}

async function loadFrom(
  fs: SessionFs,
  dir: string,
  snapshot: Awaited<ReturnType<typeof readAnySnapshot<Stored>>>,
): Promise<FoldedLog> {
  const folded = emptyFoldedLog()
  if (snapshot !== undefined) {
    const { state, points, last } = snapshot.state
    folded.snapshotAt = snapshot.offset
    folded.points = [...points]
    if (snapshot.fits) {
      folded.folder = createFolder(state)
      folded.last = last
    } else {
      await goBack(fs, dir, folded, state)
    }
  }
  await foldFrom(fs, dir, folded)
  return folded
}

/** The log was cut since: the points before the cut still hold. */
async function goBack(
  fs: SessionFs,
  dir: string,
  folded: FoldedLog,
  state: SessionState,
): Promise<void> {
  const { points } = folded
  while (points.length > 0 && !(await stands(fs, dir, points.at(-1)?.last))) points.pop()
  backTo(folded, points.at(-1), state)
}

function backTo(folded: FoldedLog, point: PlacedPoint | undefined, state: SessionState): void {
  folded.folder = createFolder(point === undefined ? undefined : restore(point, state))
  folded.last = point?.last
}

/** Adds events that this process has just made durable or just read. */
export function apply(
  folded: FoldedLog,
  records: readonly LogRecord[],
  logEnd = records.at(-1)?.end ?? 0,
): void {
  const { folder, points } = folded
  const lateFrom = logEnd - LATE_BYTES
  let lastAt = points.at(-1)?.offset ?? 0
  for (const record of records) {
    folder.push(record)
    const every = record.end > lateFrom ? LATE_POINT_EVERY_BYTES : POINT_EVERY_BYTES
    if (record.end < lastAt + every) continue
    points.push({ ...folder.point(), last: placeOf(record) })
    lastAt = record.end
  }
  folded.points = thinned(points, lateFrom)
  const newest = records.at(-1)
  if (newest !== undefined) folded.last = placeOf(newest)
}

/** Before this place, only those that are far enough from the one before them. */
function thinned(points: readonly PlacedPoint[], before: number): PlacedPoint[] {
  let kept = 0
  return points.filter(({ offset }) => {
    const isKept = offset >= before || offset - kept >= POINT_EVERY_BYTES
    if (isKept) kept = offset
    return isKept
  })
}

/** Without the event itself, which may be large. */
const placeOf = ({ event, start, end }: LogRecord): LastEvent => ({ id: event.id, start, end })

/**
 * Reads what was written since. When the log no longer holds what was folded (it was rewound, or mended),
 * everything is read again and `reset` says so.
 */
export async function catchUp(
  fs: SessionFs,
  dir: string,
  folded: FoldedLog,
): Promise<{ records: LogRecord[]; reset: boolean }> {
  const isNew = folded.folder.state().size === 0
  if (!isNew && !(await stands(fs, dir, folded.last))) {
    Object.assign(folded, await load(fs, dir))
    return { records: [], reset: true }
  }
  return { records: await foldFrom(fs, dir, folded, { collect: true }), reset: false }
}

/** Goes back to the state before a place at which the log was cut. */
export async function cutBack(
  fs: SessionFs,
  dir: string,
  folded: FoldedLog,
  cutAt: number,
): Promise<void> {
  const state = folded.folder.state()
  folded.points = folded.points.filter((point) => point.offset <= cutAt)
  backTo(folded, folded.points.at(-1), state)
  await foldFrom(fs, dir, folded)
}

/** The state as it was at an earlier place, without touching what is known now. */
export async function stateAt(
  fs: SessionFs,
  dir: string,
  folded: FoldedLog,
  place: number,
): Promise<SessionState> {
  const state = folded.folder.state()
  if (place >= state.size) return state
  const point = folded.points.findLast(({ offset }) => offset <= place)
  const folder = createFolder(point === undefined ? undefined : restore(point, state))
  for await (const { records } of readLog(fs, logPath(dir), {
    from: point?.offset ?? 0,
    to: place,
    skim: wordyEvents,
  })) {
    for (const record of records) folder.push(record)
  }
  return folder.state()
}

/**
 * Saves the state beside the log when enough has been added or cut off since, or when told to. A little
 * less than what was saved needs no saving: the points in it lead back.
 */
export async function keepSnapshot(
  fs: SessionFs,
  dir: string,
  folded: FoldedLog,
  { always }: { always: boolean },
): Promise<void> {
  const state = folded.folder.state()
  const { last } = folded
  if (last === undefined || state.size === folded.snapshotAt) return
  const moved = Math.abs(state.size - folded.snapshotAt)
  const due = Math.max(SNAPSHOT_EVERY_BYTES, state.size / 20)
  if (moved < due && !always) return
  try {
    await writeSnapshot(fs, dir, {
      stateVersion: STATE_VERSION,
      offset: state.size,
      turns: state.turns.length,
      lastId: last.id,
      eventCount: state.eventCount,
      state: { state, points: folded.points, last } satisfies Stored,
    })
    folded.snapshotAt = state.size
  } catch {
    // What it was kept for has happened all the same; without it the next opening folds more.
  }
}

/** After a cut: the one that is there may hold what was cut off. Where there is none, none is needed. */
export async function replaceSnapshot(
  fs: SessionFs,
  dir: string,
  folded: FoldedLog,
): Promise<void> {
  if ((await fs.stat(inSession(dir, 'snapshot'))) === undefined) return
  folded.snapshotAt = 0
  await keepSnapshot(fs, dir, folded, { always: true })
  if (folded.snapshotAt === 0) await fs.remove(inSession(dir, 'snapshot'))
}

async function foldFrom(
  fs: SessionFs,
  dir: string,
  folded: FoldedLog,
  { collect } = { collect: false },
): Promise<LogRecord[]> {
  const added: LogRecord[] = []
  const { size, lastEventId } = folded.folder.state()
  const to = await readableSize(fs, dir)
  if (to <= size) return added
  for await (const { records, findings } of readLog(fs, logPath(dir), {
    from: size,
    to,
    ...(size > 0 && { previousId: lastEventId }),
    // What is collected is shown to others; what is only folded is thrown away.
    ...(!collect && { skim: wordyEvents }),
  })) {
    apply(folded, records, to)
    if (collect) {
      added.push(...records)
      continue // a tail that is still being written by its owner is no damage
    }
    folded.findings.push(...findings.slice(0, MAX_FINDINGS - folded.findings.length))
  }
  return added
}

/** True when the log holds this event where it was. */
async function stands(fs: SessionFs, dir: string, last: LastEvent | undefined): Promise<boolean> {
  if (last === undefined || (await readableSize(fs, dir)) < last.end) return false
  for await (const { records } of readLog(fs, logPath(dir), { from: last.start, to: last.end })) {
    const [record] = records
    if (record !== undefined) return record.event.id === last.id && record.end === last.end
  }
  return false
}

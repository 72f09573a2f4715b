/**
 * What a fork knows of files: all that was recorded before it parts from its source, so that an undo takes the same
 * back in both. What an undo of the source has taken back is in no fork: neither are the turns.
 */
import { inSession } from '../../format/paths.ts'
import type { SessionId } from '../../format/ids.ts'
import { readLog } from '../../log/read.ts'
import { bytesPath, listRewound } from '../../log/undo-log.ts'
import { copyRecord } from '../../project/copy-record.ts'
import { positionOf, type Journal } from '../../project/journal.ts'
import type { JournalEntry } from '../../project/journal-entry.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { sessionDir } from '../session-dir.ts'
import { lookAtNote } from './rewind-note.ts'
import { recordOf } from './session-files.ts'

export type ForkPoint = {
  /** Where the fork's part of the log ends. */
  readonly end: number
  /** When the first event that it leaves out was written; absent when it takes all. */
  readonly leftOutAt?: string
}

export async function copyFileRecord(
  engine: EngineContext,
  source: LiveSession,
  { id, building, point }: { id: SessionId; building: string; point: ForkPoint },
): Promise<void> {
  const { fs } = engine
  const { dir } = source
  if ((await fs.stat(inSession(dir, 'changes'))) === undefined) return
  const record = await recordOf(engine, source)
  const { journal } = record
  const undone = await undoneRanges(engine, dir, journal)
  const { turns } = stateOf(source)
  const later = new Set(turns.filter(({ start }) => start >= point.end).map(idOf))
  await copyRecord(fs, record, {
    from: dir,
    building,
    to: sessionDir(id),
    entries: upTo(journal.entries, later, point).filter(
      (_, index) => !undone.some(isBetween(index)),
    ),
    foreign: journal.foreign.filter((entry) => !isLater(entry, later, point)),
  })
}

const idOf = ({ eventId }: { readonly eventId: string }): string => eventId

/** Lines stand in the order of time: all after the first that the fork parts from are not its own. */
function upTo(
  entries: readonly JournalEntry[],
  later: ReadonlySet<string>,
  point: ForkPoint,
): readonly JournalEntry[] {
  const first = entries.findIndex((entry) => isLater(entry, later, point))
  return first === -1 ? entries : entries.slice(0, first)
}

/** Of a turn that is not taken, or within one of which only the beginning is. */
const isLater = (entry: JournalEntry, later: ReadonlySet<string>, { leftOutAt }: ForkPoint) =>
  ('turnEventId' in entry && later.has(entry.turnEventId ?? '')) ||
  (leftOutAt !== undefined && entry.at > leftOutAt)

type Range = { readonly first: number; readonly last: number }

const isBetween =
  (index: number) =>
  ({ first, last }: Range): boolean =>
    first <= index && index <= last

/** From the first line of turns that an undo took back to its restores: what lies between comes to nothing. */
async function undoneRanges(
  { fs }: EngineContext,
  dir: string,
  journal: Journal,
): Promise<readonly Range[]> {
  const ranges: Range[] = []
  for (const { entry } of await listRewound(fs, dir)) {
    const note = (await lookAtNote(fs, dir, entry))?.note
    const ids = [note?.project?.id, note?.workspace?.id].filter((id) => id !== undefined)
    const last = journal.entries.findLastIndex((each) => 'id' in each && ids.includes(each.id))
    if (last === -1) continue
    ranges.push({ first: positionOf(journal, await eventsIn(fs, bytesPath(dir, entry))), last })
  }
  return ranges
}

async function eventsIn(fs: EngineContext['fs'], path: string): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { records } of readLog(fs, path))
    ids.push(...records.map(({ event }) => event.id))
  return ids
}

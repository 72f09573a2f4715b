/**
 * Files that turns changed and of which the record does not tell: its lines are damaged or gone, or were never written.
 * What was in such a file before is not known, and it is left alone.
 */
import { isBelow } from '../../lib/is-below.ts'
import { lossOf } from '../../project/journal.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { recordOf } from './session-files.ts'
import { toldChanges } from './reported-changes.ts'
import { pathFrom } from './reported-files.ts'

export type LostFiles = {
  /** From the root of the project; absolute where they are outside. */
  readonly paths: readonly string[]
  /** There may be others, of which nothing tells. */
  readonly isPartial: boolean
}

export const NOTHING_LOST: LostFiles = { paths: [], isPartial: false }

/** The log is read from `cutAt` on, and only where the record is not proved to be whole. */
export async function lostFiles(
  engine: EngineContext,
  session: LiveSession,
  cutAt: number,
): Promise<LostFiles> {
  const { journal } = await recordOf(engine, session)
  if (journal.isWhole) return NOTHING_LOST
  const turns = stateOf(session).turns.filter(({ start }) => start >= cutAt)
  const { paths, isPartial } = lossOf(
    journal,
    turns.map(({ eventId }) => eventId),
  )
  const recorded = new Set(
    [...journal.entries, ...journal.foreign].flatMap((entry) =>
      entry.kind === 'tool' ? [entry.toolCallId, ...(entry.alongside ?? [])] : [],
    ),
  )
  const { cwd, gitRoot = cwd } = session.project
  const own = engine.fs.nativePath(session.dir)
  const lost = new Set(paths)
  const where = { fs: engine.fs, dir: session.dir, cwd, from: cutAt, to: stateOf(session).size }
  for await (const { toolCallId, file, diff } of toldChanges(where))
    if (!recorded.has(toolCallId) && diff !== '' && !isBelow(own, file))
      lost.add(pathFrom(gitRoot, file))
  return { paths: [...lost].sort(), isPartial }
}

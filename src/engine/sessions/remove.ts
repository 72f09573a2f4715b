/**
 * Deleting moves a session's folder to the home's trash in one step, and restore.ts moves it back. Only `now`, or the end
 * of the grace period, removes bytes: those of the folder, and what others made of them. A session that is open elsewhere
 * is never touched.
 */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { codeOf } from '../../fs/fs-error.ts'
import { eachApart } from '../../lib/each-apart.ts'
import { errorText } from '../../lib/error-text.ts'
import { foreignHolders } from '../../log/inuse-lock.ts'
import { readLease } from '../../log/lease.ts'
import { folderBytes } from '../../workspace/folder-bytes.ts'
import { close } from '../live/close.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { explainMissing } from '../live/not-found-reason.ts'
import { layout } from '../../format/layout.ts'
import { TRASH, inHome, readName } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { purge } from './purge.ts'

export type Removal =
  | { readonly id: SessionId; readonly outcome: 'trashed' | 'deleted'; readonly bytes: number }
  | { readonly id: SessionId; readonly outcome: 'kept'; readonly error: EngineError }

export type Trashed = { readonly id: SessionId; readonly deletedAt: Date; readonly path: string }

/** How long a deleted session can be restored. */
const GRACE_DAYS = 30

export async function remove(
  engine: EngineContext,
  ids: readonly SessionId[],
  { now = false }: { now?: boolean } = {},
): Promise<readonly Removal[]> {
  const removals: Removal[] = []
  const trashed: Trashed[] = []
  for (const id of ids) {
    try {
      const earlier = now ? (await trash(engine)).filter((each) => each.id === id) : []
      const isThere = (await engine.fs.stat(sessionDir(id))) !== undefined
      // What is in the trash goes for good as well, also where a kill left it there.
      const gone = isThere || earlier.length === 0 ? [await moveToTrash(engine, id)] : []
      trashed.push(...gone, ...earlier)
      const bytes = await sizeOf(engine, [...gone, ...earlier])
      removals.push({ id, outcome: now ? 'deleted' : 'trashed', bytes })
    } catch (error) {
      removals.push({ id, outcome: 'kept', error: notMoved(id, error) })
    }
  }
  if (now) await purge(engine, trashed)
  return removals
}

/** What is in the way of one session keeps no other from being removed. */
function notMoved(id: SessionId, cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause
  if (codeOf(cause) === undefined) throw cause
  return new EngineError(
    'corrupt',
    `Session ${id} cannot be moved: ${errorText(cause)}. It was left untouched.`,
    { cause },
  )
}

async function moveToTrash(engine: EngineContext, id: SessionId): Promise<Trashed> {
  const { fs } = engine
  const dir = sessionDir(id)
  if ((await fs.stat(dir)) === undefined) throw await explainMissing(engine, id)
  // Of a session that stays, what is open of it here stays open.
  if (engine.live.get(id)?.writing.writer === undefined) await refuseInUse(engine, id)
  await close(engine, id)
  await refuseInUse(engine, id)
  const deletedAt = engine.clock()
  const path = inHome('trashed', { id, ms: deletedAt.getTime() })
  await fs.mkdir(TRASH)
  await fs.rename(dir, path)
  engine.changes.tell({ kind: 'deleted', id })
  return { id, deletedAt, path }
}

export async function refuseInUse(engine: EngineContext, id: SessionId): Promise<void> {
  const dir = sessionDir(id)
  const holder = await readLease(engine.fs, dir)
  const pid = holder?.alive === true ? holder.pid : (await foreignHolders(engine.fs, dir))[0]
  if (pid === undefined) return
  throw new EngineError(
    'in_use',
    `Session ${id} is open in another process (pid ${pid}). It was left untouched. Close it there first.`,
    { details: { sessionId: id, pid } },
  )
}

/** Newest first. */
export async function trash(engine: EngineContext): Promise<readonly Trashed[]> {
  const entries = await engine.fs.list(TRASH)
  return entries
    .flatMap(({ name }) => {
      const { id, ms } = readName(layout.home.trashed, name) ?? {}
      if (!isSessionId(id)) return []
      return [{ id, deletedAt: new Date(Number(ms)), path: `${TRASH}/${name}` }]
    })
    .sort((a, b) => b.deletedAt.getTime() - a.deletedAt.getTime())
}

/** Removes for good what was deleted longer ago than the grace period. */
export async function emptyTrash(
  engine: EngineContext,
): Promise<{ sessions: number; bytes: number }> {
  const limit = engine.clock().getTime() - GRACE_DAYS * 86_400_000
  const old = (await trash(engine)).filter(({ deletedAt }) => deletedAt.getTime() <= limit)
  const bytes = await sizeOf(engine, old)
  await purge(engine, old)
  return { sessions: old.length, bytes }
}

async function sizeOf({ fs }: EngineContext, trashed: readonly Trashed[]): Promise<number> {
  // What cannot be entered is not counted.
  const { done } = await eachApart(trashed, ({ path }) => folderBytes(fs, path))
  return done.reduce((sum, bytes) => sum + bytes, 0)
}

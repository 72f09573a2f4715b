/** Deletes sessions that nobody has touched for a while: to the trash, never those in use, named ones only when told. */
import type { SessionId } from '../../format/ids.ts'
import { eachApart } from '../../lib/each-apart.ts'
import { folderBytes } from '../../workspace/folder-bytes.ts'
import { listSessions, unlistedSessions } from '../catalogue/catalogue.ts'
import type { SessionSummary } from '../catalogue/catalogue-row.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { discardOld } from '../forget/retention.ts'
import type { Discarded } from '../forget/rewound-parts.ts'
import { sessionDir } from '../session-dir.ts'
import { emptyTrash, refuseInUse, remove } from './remove.ts'

export type PruneOptions = {
  readonly olderThanDays: number
  readonly keepNamed: boolean
  readonly dryRun: boolean
  /** Never pruned, for example the session that asks. */
  readonly keep?: readonly SessionId[]
}

export type Pruned = {
  readonly dryRun: boolean
  readonly sessions: readonly (SessionSummary & { readonly freed: number })[]
  readonly kept: readonly { readonly id: SessionId; readonly reason: 'named' | 'in use' }[]
  /** Could not be looked at or moved, and why. */
  readonly failed: readonly { readonly id: SessionId; readonly reason: string }[]
  readonly bytes: number
  readonly trashEmptied: { readonly sessions: number; readonly bytes: number }
  /** What undo had taken back longer ago than it is kept. */
  readonly discarded: Discarded
}

export async function prune(engine: EngineContext, options: PruneOptions): Promise<Pruned> {
  if (!Number.isFinite(options.olderThanDays) || options.olderThanDays < 0) {
    throw new EngineError('invalid', 'The age in days must be 0 or more. Nothing was deleted.')
  }
  const limit = engine.clock().getTime() - options.olderThanDays * 86_400_000
  const old = (await listSessions(engine.fs)).filter(
    ({ id, modifiedAt }) => Date.parse(modifiedAt) < limit && !options.keep?.includes(id),
  )
  const kept: { id: SessionId; reason: 'named' | 'in use' }[] = []
  const sessions: (SessionSummary & { freed: number })[] = []
  const { unusable } = await unlistedSessions(engine.fs)
  const looked = await eachApart(old, async (session) => {
    if (options.keepNamed && session.userNamed) kept.push({ id: session.id, reason: 'named' })
    else if (await isInUse(engine, session.id)) kept.push({ id: session.id, reason: 'in use' })
    else sessions.push({ ...session, freed: await folderBytes(engine.fs, sessionDir(session.id)) })
  })
  const failed = [...unusable, ...looked.failed.map(({ item: { id }, reason }) => ({ id, reason }))]
  if (!options.dryRun) {
    const ids = sessions.map(({ id }) => id)
    for (const each of await remove(engine, ids)) {
      if (each.outcome !== 'kept') continue
      failed.push({ id: each.id, reason: each.error.message })
      sessions.splice(
        sessions.findIndex(({ id }) => id === each.id),
        1,
      )
    }
  }
  return {
    dryRun: options.dryRun,
    sessions,
    kept,
    failed,
    bytes: sessions.reduce((sum, { freed }) => sum + freed, 0),
    trashEmptied: options.dryRun ? { sessions: 0, bytes: 0 } : await emptyTrash(engine),
    discarded: options.dryRun ? { parts: 0, events: 0 } : await discardOldOfAll(engine),
  }
}

async function discardOldOfAll(engine: EngineContext): Promise<Discarded> {
  const sum = { parts: 0, events: 0 }
  if (engine.keepRewoundDays === undefined) return sum
  // One that cannot be entered keeps what it has; doctor names it.
  await eachApart(await listSessions(engine.fs), async ({ id }) => {
    // One that is open does it when it is closed.
    if (await isInUse(engine, id)) return
    const { parts, events } = await discardOld(engine, id)
    sum.parts += parts
    sum.events += events
  })
  return sum
}

async function isInUse(engine: EngineContext, id: SessionId): Promise<boolean> {
  if (engine.live.has(id)) return true
  try {
    await refuseInUse(engine, id)
    return false
  } catch (error) {
    if (error instanceof EngineError && error.code === 'in_use') return true
    throw error
  }
}

/**
 * Brings every copy that is wanted up to its session, those too that were never sent. What the server has is asked once;
 * a session whose copy ends where its log ends is not touched, and what a restored server has again that was removed here
 * is removed again. One that fails does not keep the others; when nobody
 * answers any more the rest is left for later. What was sent is then queued to be read there.
 */
import type { Engine } from '../engine/engine.ts'
import type { RemoteMode, Synced, SyncWish } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import { sessionDir } from '../format/paths.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import { asEngineErrors } from './engine-errors.ts'
import type { Exporter } from './exporter.ts'
import { endsThere, isAsRemembered, readLink } from './link.ts'
import { removedAgain } from './removed.ts'
import { RemoteError } from './remote-error.ts'
import type { Server } from './control-client.ts'
import type { ServerHead } from './server-heads.ts'

export type SyncParts = {
  readonly engine: Pick<Engine, 'fs' | 'list'>
  readonly server: Server
  readonly exporter: Exporter
  readonly modeOf: (
    id: SessionId,
    known?: { readonly repository?: string | undefined },
  ) => Promise<RemoteMode>
  /** A copy of it is kept from now on; false where its person said that there be none. */
  readonly adopt: (id: SessionId) => Promise<boolean>
}

const LANES = 4
/** Progress is told after so many. */
const EVERY = 20
const MOST_BACKFILL = 500

export async function syncAll(parts: SyncParts, wish: SyncWish): Promise<Synced> {
  const { engine, server, exporter } = parts
  const { history, onProgress, signal } = wish
  const heads = new Map(
    (await asEngineErrors(() => server.heads())).map((head) => [head.id as SessionId, head]),
  )
  const due = new Set(await exporter.due())
  const listed = await engine.list()
  const known = new Map(listed.map(({ id, repository }) => [id, { repository }]))
  const isOfHistory = (id: SessionId): boolean =>
    history !== undefined &&
    known.has(id) &&
    (history.repository === undefined || history.repository === known.get(id)?.repository)
  const again = await asEngineErrors(() => removedAgain({ fs: engine.fs, now: Date.now }, server))
  const all = [...new Set([...due, ...again.keys(), ...known.keys()])]
  const counts = { scanned: 0, unchanged: 0, created: 0, eventsUploaded: 0, removedAgain: 0 }
  const failed: { id: string; reason: string }[] = []
  const sent: SessionId[] = []
  let away: string | undefined

  const bring = async (id: SessionId): Promise<void> => {
    const isWanted =
      due.has(id) ||
      again.has(id) ||
      (await parts.modeOf(id, known.get(id))) !== 'off' ||
      (isOfHistory(id) && (await parts.adopt(id)))
    if (!isWanted) return
    const back = again.get(id)
    if (!due.has(id) && back === undefined && (await isThere(engine, id, heads.get(id)))) {
      counts.unchanged += 1
      return
    }
    if (away !== undefined) return void failed.push({ id, reason: away })
    const before = exporter.sent(id)
    const status = await (back === undefined ? exporter.sync(id) : exporter.removeAgain(id, back))
    if (status.state === 'error') {
      if (!status.isFinal) away = status.error
      return void failed.push({ id, reason: status.error })
    }
    if (back !== undefined) counts.removedAgain += 1
    const events = exporter.sent(id) - before
    counts.eventsUploaded += events
    if (events > 0) sent.push(id)
    if (events > 0 && !heads.has(id)) counts.created += 1
  }
  await inLanes(all, LANES, async (id) => {
    if (signal?.aborted === true) return
    await bring(id)
    counts.scanned += 1
    if (counts.scanned % EVERY === 0) onProgress?.({ done: counts.scanned, total: all.length })
  })
  return {
    ...counts,
    failed,
    ...(await backfill(server, sent)),
    finished: signal?.aborted !== true,
  }
}

/** The copy ends where the log ends, and the server has it as this machine remembers it. */
async function isThere(
  { fs }: Pick<Engine, 'fs'>,
  id: SessionId,
  head: ServerHead | undefined,
): Promise<boolean> {
  const dir = sessionDir(id)
  const copy = (await readLink(fs, dir))?.copy
  if (head === undefined || copy === undefined) return false
  return isAsRemembered(copy, head) && endsThere(fs, dir, copy)
}

async function backfill(
  server: Server,
  sent: readonly SessionId[],
): Promise<Pick<Synced, 'backfillQueued' | 'backfillFailed'>> {
  let backfillQueued = 0
  let backfillFailed = 0
  for (let at = 0; at < sent.length; at += MOST_BACKFILL) {
    const some = sent.slice(at, at + MOST_BACKFILL)
    try {
      backfillQueued += await server.backfill(some)
    } catch (cause) {
      // The copies are there; the first question over them waits a little longer.
      if (!(cause instanceof RemoteError)) throw cause
      backfillFailed += some.length
    }
  }
  return { backfillQueued, backfillFailed }
}

/**
 * Says layer by layer what is sound, stale or damaged in a session, what it means, and what mends it. Looking
 * changes nothing; mending keeps everything that it takes out.
 */
import type { DraftOf } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { inSession } from '../../format/paths.ts'
import { blobNames } from '../../log/check-blobs.ts'
import { readDigest } from '../../log/digest.ts'
import { openDigestCheck } from '../../log/digest-check.ts'
import { clearStaged, settleForget } from '../../log/forget-intent.ts'
import { NO_LOG, inspectLog, type LogReport } from '../../log/inspect.ts'
import { acquireLease } from '../../log/lease.ts'
import { mendLog, type MendReport } from '../../log/mend.ts'
import { checkSnapshot } from '../../log/snapshot.ts'
import { mendRecord } from '../../project/check-record.ts'
import { STATE_VERSION } from '../../state/fold.ts'
import { attempt } from '../../lib/each-apart.ts'
import { folderFault } from '../../workspace/folder-faults.ts'
import { readMetadata } from '../../workspace/metadata.ts'
import { close } from '../live/close.ts'
import type { EngineContext } from '../engine-context.ts'
import { load } from '../live/folded-log.ts'
import { explainMissing } from '../live/not-found-reason.ts'
import { sessionDir } from '../session-dir.ts'
import { withWriter } from '../live/writer.ts'
import { producer } from '../live/producer.ts'
import { resume } from '../live/resume.ts'
import { originIn } from '../history/fork.ts'
import { examine, type Ailment, type Depth } from './doctor-checks.ts'
import { mendAside, mendDerived } from './mend-derived.ts'
import { touch } from '../catalogue/dirty-markers.ts'
import { translateError } from '../translate-error.ts'

export type { Ailment, Depth }

export type Diagnosis = {
  readonly id: SessionId
  readonly healthy: boolean
  readonly ailments: readonly Ailment[]
  readonly log: LogReport
}

export type Mended = { readonly id: SessionId; readonly log: MendReport; readonly after: Diagnosis }

/** Quick: what reading the log and opening the session costs. Whole: all that is kept is read and compared. */
export async function doctor(
  engine: EngineContext,
  id: SessionId,
  { depth = 'whole' }: { readonly depth?: Depth } = {},
): Promise<Diagnosis> {
  const { fs } = engine
  const dir = sessionDir(id)
  if ((await fs.stat(dir)) === undefined) throw await explainMissing(engine, id)
  const fault = await folderFault(fs, id)
  if (fault !== undefined) {
    const place = fs.nativePath(dir)
    return unusable(
      id,
      `The session cannot be used: ${fault}. Nothing of it is changed; put the real one back in its place, or move ${place} away.`,
    )
  }
  const blobs = blobNames()
  let forkedFrom: string | undefined
  const digest = await openDigestCheck(fs, dir)
  const read = await attempt(() =>
    inspectLog(fs, dir, id, (record) => {
      blobs.meet(record)
      digest.meet(record)
      forkedFrom = originIn(record) ?? forkedFrom
    }),
  )
  if (!('ok' in read)) return unusable(id, `The log could not be read: ${read.reason}.`)
  const log = read.ok
  const folded = log.hasStart ? await attempt(() => load(fs, dir)) : undefined
  const state = folded !== undefined && 'ok' in folded ? folded.ok.folder.state() : undefined
  const look = { engine, id, dir, log, digest, state, blobs: blobs.named, forkedFrom }
  const ailments: Ailment[] = []
  for await (const ailment of examine(look, depth)) ailments.push(ailment)
  return { id, healthy: ailments.every(({ severity }) => severity === 'note'), ailments, log }
}

const unusable = (id: SessionId, message: string): Diagnosis => ({
  id,
  healthy: false,
  ailments: [{ layer: 'log', severity: 'damage', message }],
  log: NO_LOG,
})

/** Asks for the lease, so nothing is mended under a process that writes. */
export async function mend(engine: EngineContext, id: SessionId): Promise<Mended> {
  const { fs } = engine
  const dir = sessionDir(id)
  if ((await fs.stat(dir)) === undefined) throw await explainMissing(engine, id)
  await close(engine, id)
  const lease = await acquireLease(fs, dir, {
    label: `${engine.clientName} doctor`,
    waitMs: 3_000,
    onRequest: () => {},
  }).catch((cause: unknown) => {
    throw translateError(cause)
  })
  let log: MendReport
  try {
    await settleForget(fs, dir)
    await clearStaged(fs, dir)
    // Opening the session writes a new one.
    if ((await checkSnapshot(fs, dir, { stateVersion: STATE_VERSION })) === 'damaged')
      await fs.remove(inSession(dir, 'snapshot'))
    await mendRecord(fs, dir)
    const start = await startFor(engine, id)
    log = await mendLog(fs, dir, { start, clock: engine.clock, newId: engine.newId, fence: lease })
    const digest = inSession(dir, 'digest')
    if (log.changed || (await readDigest(fs, dir)).some(({ isRight }) => !isRight))
      await fs.remove(digest)
  } catch (cause) {
    throw translateError(cause)
  } finally {
    await lease.release()
    await touch(fs, id)
  }
  if (log.events > 0) {
    // Opening it rebuilds workspace.yaml; opening it for writing settles an interrupted undo, and aligns the checkpoints.
    const session = await resume(engine, id)
    await mendAside(engine, session)
    await withWriter(engine, session, {}, async () => {})
    await mendDerived(engine, session)
    await close(engine, id)
  }
  return { id, log, after: await doctor(engine, id) }
}

async function startFor(
  engine: EngineContext,
  sessionId: SessionId,
): Promise<DraftOf<'session.start'>> {
  const dir = sessionDir(sessionId)
  const { startTime, lastTimestamp, project } = (await load(engine.fs, dir)).folder.state()
  const read = await readMetadata(engine.fs, dir)
  const file = 'file' in read ? read.file : undefined
  const cwd = file?.cwd ?? project.cwd
  return {
    type: 'session.start',
    data: {
      sessionId,
      ...producer(engine),
      startTime: startTime ?? file?.created_at ?? lastTimestamp ?? engine.clock().toISOString(),
      ...(cwd !== undefined && { context: { cwd } }),
    },
  }
}

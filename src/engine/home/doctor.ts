/**
 * Says layer by layer what is sound, stale or damaged in a session, what it means, and what mends it. Looking
 * changes nothing; mending keeps everything that it takes out.
 */
import type { DraftOf } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { clearStaged, settleForget, unfinishedForget } from '../../log/forget-intent.ts'
import { inspectLog } from '../../log/inspect.ts'
import type { LogReport } from '../../log/inspect.ts'
import { acquireLease } from '../../log/lease.ts'
import { mendLog } from '../../log/mend.ts'
import type { MendReport } from '../../log/mend.ts'
import { readIntent } from '../../project/restore-intent.ts'
import { checkSnapshot } from '../../log/snapshot.ts'
import { STATE_VERSION } from '../../state/fold.ts'
import { listCheckpoints } from '../../workspace/checkpoints.ts'
import { readMetadata } from '../../workspace/metadata.ts'
import { close } from '../live/close.ts'
import type { EngineContext } from '../engine-context.ts'
import { load } from '../live/folded-log.ts'
import { explainMissing } from '../live/missing.ts'
import { inSession } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { withWriter } from '../live/writer.ts'
import { producer } from '../live/producer.ts'
import { resume } from '../live/resume.ts'
import { touch } from './touched.ts'
import { translateError } from '../translate-error.ts'

type Layer = 'log' | 'files' | 'workspace' | 'checkpoints' | 'snapshot'

export type Ailment = {
  readonly layer: Layer
  readonly severity: 'note' | 'stale' | 'damage'
  readonly message: string
  /** The command that mends it; absent when nothing needs to be done. */
  readonly remedy?: string
}

export type Diagnosis = {
  readonly id: SessionId
  readonly healthy: boolean
  readonly ailments: readonly Ailment[]
  readonly log: LogReport
}

export type Mended = { readonly id: SessionId; readonly log: MendReport; readonly after: Diagnosis }

export async function doctor(engine: EngineContext, id: SessionId): Promise<Diagnosis> {
  const { fs } = engine
  const dir = sessionDir(id)
  if ((await fs.stat(dir)) === undefined) throw await explainMissing(engine, id)
  const log = await inspectLog(fs, dir, id)
  const ailments = [
    ...ofLog(id, log),
    ...(await ofForgetting(engine, id, dir)),
    ...(await ofFiles(engine, id, dir)),
    ...(await ofWorkspace(engine, id, dir)),
    ...(log.hasStart ? await ofDerived(engine, id, dir) : []),
  ]
  return { id, healthy: ailments.every(({ severity }) => severity === 'note'), ailments, log }
}

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
    const start = await startFor(engine, id)
    log = await mendLog(fs, dir, { start, clock: engine.clock, newId: engine.newId, fence: lease })
  } catch (cause) {
    throw translateError(cause)
  } finally {
    await lease.release()
    await touch(fs, id)
  }
  if (log.events > 0) {
    // Opening it rebuilds workspace.yaml; opening it for writing settles an interrupted undo, and aligns the checkpoints.
    await withWriter(engine, await resume(engine, id), {}, async () => {})
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

function* ofLog(id: SessionId, log: LogReport): Generator<Ailment> {
  const remedy = `reprise doctor ${id} --repair`
  if (!log.exists || log.events === 0) {
    yield {
      layer: 'log',
      severity: 'damage',
      message: 'The log is missing or holds no event; there is nothing to resume.',
    }
    return
  }
  for (const { kind, recovered, message } of log.findings) {
    // A broken chain and an unknown shape are facts of the history: nothing is lost, nothing is mended.
    const isFact = kind === 'chain_break' || kind === 'invalid_shape'
    yield isFact
      ? { layer: 'log', severity: 'note', message }
      : { layer: 'log', severity: recovered ? 'stale' : 'damage', message, remedy }
  }
  if (log.hasUnfinishedRedo) {
    yield {
      layer: 'log',
      severity: 'stale',
      message: 'A redo was interrupted; the next opening settles it.',
      remedy,
    }
  }
  if (log.strangers > 0) {
    yield {
      layer: 'log',
      severity: 'note',
      message: `${log.strangers} event${log.strangers === 1 ? ' is' : 's are'} of a type or shape that this version does not know; kept as they are.`,
    }
  }
}

async function ofForgetting({ fs }: EngineContext, id: SessionId, dir: string): Promise<Ailment[]> {
  const state = await unfinishedForget(fs, dir)
  if (state === undefined) return []
  const message =
    state === 'begun'
      ? 'A forgetting or discarding was interrupted; the next opening finishes it.'
      : 'A forgetting or discarding was interrupted before it changed anything; files that were made for it are left.'
  return [{ layer: 'log', severity: 'stale', message, remedy: `reprise doctor ${id} --repair` }]
}

async function ofFiles({ fs }: EngineContext, id: SessionId, dir: string): Promise<Ailment[]> {
  const intent = await readIntent({ fs, dir })
  if (intent === undefined) return []
  const message =
    intent === 'foreign'
      ? 'The session came with a restore of files that this home did not write. It is not acted on.'
      : `An undo or redo of files${intent.root === undefined ? '' : ` in ${intent.root}`} was interrupted. The next opening takes it back or finishes it.`
  return [{ layer: 'files', severity: 'stale', message, remedy: `reprise doctor ${id} --repair` }]
}

async function ofWorkspace(engine: EngineContext, id: SessionId, dir: string): Promise<Ailment[]> {
  const read = await readMetadata(engine.fs, dir)
  if ('file' in read) return []
  const message =
    'missing' in read
      ? 'workspace.yaml is missing; it is rebuilt from the log when the session is opened.'
      : `workspace.yaml cannot be read (${read.broken}); it is set aside and rebuilt when the session is opened.`
  return [
    { layer: 'workspace', severity: 'stale', message, remedy: `reprise doctor ${id} --repair` },
  ]
}

async function ofDerived(engine: EngineContext, id: SessionId, dir: string): Promise<Ailment[]> {
  const { fs } = engine
  const ailments: Ailment[] = []
  const { compaction } = (await load(fs, dir)).folder.state()
  const named = compaction.checkpoints.map(({ number }) => number)
  const onDisk = (await listCheckpoints(fs, dir)).map(({ number }) => number)
  const missing = named.filter((number) => !onDisk.includes(number))
  const extra = onDisk.filter((number) => !named.includes(number))
  if (missing.length + extra.length > 0) {
    const parts = [
      missing.length > 0 && `missing: ${missing.join(', ')}`,
      extra.length > 0 && `not named by the log: ${extra.join(', ')}`,
    ].filter(Boolean)
    ailments.push({
      layer: 'checkpoints',
      severity: 'stale',
      message: `Checkpoint files do not match the log (${parts.join('; ')}).`,
      remedy: `reprise doctor ${id} --repair`,
    })
  }
  const snapshot = await checkSnapshot(fs, dir, { stateVersion: STATE_VERSION })
  if (snapshot === 'damaged')
    ailments.push({
      layer: 'snapshot',
      severity: 'stale',
      message:
        'The snapshot is not as it was written. It is not used; a later turn writes a new one.',
      remedy: `reprise doctor ${id} --repair`,
    })
  if (snapshot === 'older' || snapshot === 'behind')
    ailments.push({
      layer: 'snapshot',
      severity: 'note',
      message:
        snapshot === 'older'
          ? 'The snapshot is of another version and is ignored; a later turn writes a new one.'
          : 'The snapshot is of a log that was longer or other: only what it marked before the difference is used. A later turn writes a new one.',
    })
  return ailments
}

/**
 * What a diagnosis looks at, one check after another. `quick` ones cost what opening the session costs; the others read
 * all that is kept of it.
 */
import type { SessionId } from '../../format/ids.ts'
import { inHome, inSession } from '../../format/paths.ts'
import { errorText } from '../../lib/error-text.ts'
import type { Fault } from '../../lib/fault.ts'
import { checkBlobs } from '../../log/check-blobs.ts'
import type { DigestCheck } from '../../log/digest-check.ts'
import { unfinishedForget } from '../../log/forget-intent.ts'
import type { LogReport } from '../../log/inspect.ts'
import { checkRewound } from '../../log/undo-log-check.ts'
import { lookAtRewound } from '../../log/undo-log.ts'
import { checkSnapshot } from '../../log/snapshot.ts'
import { checkRecord, checkSealKey } from '../../project/check-record.ts'
import { openJournal } from '../../project/journal.ts'
import { readIntent } from '../../project/restore-intent.ts'
import { STATE_VERSION } from '../../state/fold.ts'
import type { SessionState } from '../../state/session-state.ts'
import { contradictions } from '../../workspace/check-metadata.ts'
import { checkIndex, listCheckpoints, readCheckpoint } from '../../workspace/checkpoints.ts'
import { partFaults } from '../../workspace/folder-faults.ts'
import { readForkOrigin } from '../../workspace/fork-origin.ts'
import { readMetadata } from '../../workspace/metadata.ts'
import { readRepositoryKey } from '../../workspace/repository-key.ts'
import type { EngineContext } from '../engine-context.ts'
import { lookAtRedactionKey } from '../forget/record.ts'
import { summaryOf } from '../history/align.ts'
import { lookAtNote, notePath } from '../history/rewind-note.ts'

type Layer = 'log' | 'files' | 'workspace' | 'checkpoints' | 'snapshot'

export type Ailment = {
  readonly layer: Layer
  readonly severity: 'note' | 'stale' | 'damage'
  readonly message: string
  /** The command that mends it; absent when nothing needs to be done, or nothing can be. */
  readonly remedy?: string
}

export type Depth = 'quick' | 'whole'

type Look = {
  readonly engine: EngineContext
  readonly id: SessionId
  readonly dir: string
  readonly log: LogReport
  readonly digest: DigestCheck
  /** Folded from the log; undefined where it has no beginning. */
  readonly state: SessionState | undefined
  /** Blobs that events name, and what the log says the session was forked from. */
  readonly blobs: ReadonlySet<string>
  readonly forkedFrom: string | undefined
}

type Check = (look: Look) => AsyncIterable<Ailment> | Iterable<Ailment>

const checks: Readonly<Record<Depth, readonly (readonly [Layer, Check])[]>> = {
  quick: [
    ['log', ofLog],
    ['log', ofForgetting],
    ['files', ofRestore],
    ['workspace', ofWorkspace],
    ['checkpoints', ofCheckpoints],
    ['snapshot', ofSnapshot],
  ],
  whole: [
    ['log', ofDigest],
    ['log', ofBlobs],
    ['files', ofRecord],
    ['files', ofRewound],
    ['workspace', ofKeys],
  ],
}

export async function* examine(look: Look, depth: Depth): AsyncGenerator<Ailment> {
  const due = depth === 'whole' ? [...checks.quick, ...checks.whole] : checks.quick
  for (const [layer, check] of due) {
    try {
      yield* check(look)
    } catch (cause) {
      // What is in the way of one check is a finding, and the others are made all the same.
      yield {
        layer,
        severity: 'damage',
        message: `It could not be looked at: ${errorText(cause)}.`,
      }
    }
  }
}

const mending = ({ id }: Look): string => `reprise doctor ${id} --repair`

async function* ofFaults(
  look: Look,
  layer: Layer,
  faults: AsyncIterable<Fault>,
): AsyncGenerator<Ailment> {
  const { fs } = look.engine
  for await (const { path, kind, problem } of faults) {
    const words = `${fs.nativePath(path)} ${problem}`
    const message = kind === 'unchecked' ? `${words}, ${UNCHECKED}` : `${words}.`
    if (kind === 'derived') yield { layer, severity: 'stale', message, remedy: mending(look) }
    else yield { layer, severity: kind === 'damaged' ? 'damage' : 'note', message }
  }
}

const UNCHECKED = 'as an earlier version wrote it: whether it is whole cannot be checked.'

async function* ofDigest(look: Look): AsyncGenerator<Ailment> {
  // A mending that writes the log anew begins its digest anew; else what was altered stays named.
  const isMended = look.log.findings.some(({ kind }) => !isFact(kind))
  for await (const ailment of ofFaults(look, 'log', look.digest.faults()))
    yield isMended && ailment.severity === 'damage'
      ? { ...ailment, remedy: mending(look) }
      : ailment
}

function ofBlobs(look: Look): AsyncIterable<Ailment> {
  return ofFaults(look, 'log', checkBlobs(look.engine.fs, look.dir, look.blobs))
}

function ofRecord(look: Look): AsyncIterable<Ailment> {
  return ofFaults(look, 'files', checkRecord(look.engine.fs, look.dir))
}

async function* ofRewound(look: Look): AsyncGenerator<Ailment> {
  const {
    engine: { fs },
    dir,
  } = look
  yield* ofFaults(look, 'files', checkRewound(fs, dir))
  yield* ofFaults(look, 'files', notes(look))
}

/** Which restores belong to an undo, and whether the record has them. */
async function* notes({ engine: { fs }, dir }: Look): AsyncGenerator<Fault> {
  const { entries, foreign } = await openJournal(fs, dir)
  const known = new Set([...entries, ...foreign].flatMap((each) => ('id' in each ? [each.id] : [])))
  for (const { entry } of await lookAtRewound(fs, dir)) {
    const look = await lookAtNote(fs, dir, entry)
    const path = notePath(dir, entry)
    const { project, workspace } = look?.note ?? {}
    const isLacking = [project?.id, workspace?.id].some((id) => id !== undefined && !known.has(id))
    if (look?.checked === 'wrong')
      yield {
        path,
        kind: 'damaged',
        problem: 'is not as it was written: that undo cannot be redone',
      }
    else if (isLacking)
      yield {
        path,
        kind: 'damaged',
        problem: 'names a restore that the record does not have: that undo cannot be redone',
      }
    else if (look?.checked === 'absent')
      yield { path, kind: 'unchecked', problem: 'has no checksum' }
  }
}

/** Undefined where it cannot be looked at: then nothing is said of it. */
const projectAt = (detect: EngineContext['detectProject'], cwd: string) =>
  detect(cwd).catch(() => undefined) // as said above

async function* ofKeys(look: Look): AsyncGenerator<Ailment> {
  const {
    engine: { fs, detectProject },
    dir,
    forkedFrom,
    state,
  } = look
  yield* ofFaults(look, 'files', checkSealKey(fs, inHome('sealKey')))
  const redaction = await lookAtRedactionKey(fs)
  const damage = (path: string, problem: string): Ailment => ({
    layer: 'workspace',
    severity: 'damage',
    message: `${fs.nativePath(path)} ${problem}.`,
  })
  if (redaction === 'wrong')
    yield damage(
      inHome('redactionKey'),
      'is not as it was written: what was forgotten is not known again, and secrets get other placeholders',
    )
  const origin = inSession(dir, 'forkedFrom')
  const hasOrigin = (await fs.stat(origin)) !== undefined
  const from = await readForkOrigin(fs, dir)
  if (hasOrigin && (from === undefined || (forkedFrom !== undefined && from !== forkedFrom)))
    yield damage(origin, `does not name the session that the log names (${forkedFrom ?? 'none'})`)
  const key = await readRepositoryKey(fs, dir)
  const path = inSession(dir, 'repositoryKey')
  if (key === undefined) {
    if ((await fs.stat(path)) !== undefined) yield damage(path, 'is empty or too long')
    return
  }
  const cwd = state?.project.cwd
  const now = cwd === undefined ? undefined : await projectAt(detectProject, cwd)
  const isOther =
    now?.gitRoot !== undefined &&
    now.gitRoot === state?.project.gitRoot &&
    now.repository === undefined &&
    now.repositoryKey !== key
  // The first line of a reflog goes after a while: then the place stands for the repository.
  const isUnsure =
    now?.repositoryKey?.startsWith('dir:') === true && /^root:[0-9a-f]{40,64}$/.test(key)
  if (!/^(?:root:[0-9a-f]{40,64}|dir:.+|[\w.-]+:.+)$/.test(key) || (isOther && !isUnsure))
    yield {
      ...damage(path, 'is not the key of the repository; it is derived, and written anew'),
      severity: 'stale',
      remedy: mending(look),
    }
}

function* ofLog(look: Look): Generator<Ailment> {
  const { log } = look
  const remedy = mending(look)
  if (!log.exists || log.events === 0) {
    yield {
      layer: 'log',
      severity: 'damage',
      message: 'The log is missing or holds no event; there is nothing to resume.',
    }
    return
  }
  for (const { kind, recovered, message } of log.findings) {
    yield isFact(kind)
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

/** A broken chain and an unknown shape are facts of the history: nothing is lost, nothing is mended. */
const isFact = (kind: LogReport['findings'][number]['kind']): boolean =>
  kind === 'chain_break' || kind === 'invalid_shape'

async function* ofForgetting(look: Look): AsyncGenerator<Ailment> {
  const state = await unfinishedForget(look.engine.fs, look.dir)
  if (state === undefined) return
  const message =
    state === 'begun'
      ? 'A forgetting or discarding was interrupted; the next opening finishes it.'
      : 'A forgetting or discarding was interrupted before it changed anything; files that were made for it are left.'
  yield { layer: 'log', severity: 'stale', message, remedy: mending(look) }
}

async function* ofRestore(look: Look): AsyncGenerator<Ailment> {
  const intent = await readIntent({ fs: look.engine.fs, dir: look.dir })
  if (intent === undefined) return
  const message =
    intent === 'foreign'
      ? 'The session came with a restore of files that this home did not write. It is not acted on.'
      : `An undo or redo of files${intent.root === undefined ? '' : ` in ${intent.root}`} was interrupted. The next opening takes it back or finishes it.`
  yield { layer: 'files', severity: 'stale', message, remedy: mending(look) }
}

async function* ofWorkspace(look: Look): AsyncGenerator<Ailment> {
  const { engine, id, dir, state } = look
  for (const fault of await partFaults(engine.fs, dir))
    yield {
      layer: 'workspace',
      severity: 'damage',
      message: `${fault}: what it leads to is neither read nor written. Put the real folder back in its place.`,
    }
  const read = await readMetadata(engine.fs, dir)
  const stale = (message: string): Ailment => ({
    layer: 'workspace',
    severity: 'stale',
    message,
    remedy: mending(look),
  })
  if ('missing' in read)
    yield stale('workspace.yaml is missing; it is rebuilt from the log when the session is opened.')
  else if ('broken' in read)
    yield stale(
      `workspace.yaml cannot be read (${read.broken}); it is set aside and rebuilt when the session is opened.`,
    )
  else if (state !== undefined) {
    const { project, startTime, compaction } = state
    const known = { id, project, startTime, checkpoints: compaction.checkpoints.length }
    for (const words of contradictions(read.file, known))
      yield stale(`workspace.yaml contradicts the log: ${words}.`)
  }
}

async function* ofCheckpoints(look: Look): AsyncGenerator<Ailment> {
  const {
    engine: { fs },
    dir,
    state,
  } = look
  if (state === undefined) return
  const stale = (message: string): Ailment => ({
    layer: 'checkpoints',
    severity: 'stale',
    message,
    remedy: mending(look),
  })
  const { checkpoints } = state.compaction
  const named = checkpoints.map(({ number }) => number)
  const onDisk = (await listCheckpoints(fs, dir)).map(({ number }) => number)
  const missing = named.filter((number) => !onDisk.includes(number))
  const extra = onDisk.filter((number) => !named.includes(number))
  if (missing.length + extra.length > 0) {
    const parts = [
      missing.length > 0 && `missing: ${missing.join(', ')}`,
      extra.length > 0 && `not named by the log: ${extra.join(', ')}`,
    ].filter(Boolean)
    yield stale(`Checkpoint files do not match the log (${parts.join('; ')}).`)
    return
  }
  for (const checkpoint of checkpoints) {
    const text = await readCheckpoint(fs, dir, checkpoint.number)
    const summary = await summaryOf(fs, dir, checkpoint)
    if (text !== undefined && summary !== undefined && text.trim() !== summary.trim())
      yield stale(`Checkpoint ${checkpoint.number} is another text than the log has.`)
  }
  for (const words of await checkIndex(fs, dir)) yield stale(`checkpoints/index.md ${words}.`)
}

async function* ofSnapshot(look: Look): AsyncGenerator<Ailment> {
  const {
    engine: { fs },
    dir,
  } = look
  const found = await checkSnapshot(fs, dir, { stateVersion: STATE_VERSION })
  if (found === 'damaged')
    yield {
      layer: 'snapshot',
      severity: 'stale',
      message:
        'The snapshot is not as it was written. It is not used; a later turn writes a new one.',
      remedy: mending(look),
    }
  if (found === 'older' || found === 'behind')
    yield {
      layer: 'snapshot',
      severity: 'note',
      message:
        found === 'older'
          ? 'The snapshot is of another version and is ignored; a later turn writes a new one.'
          : 'The snapshot is of a log that was longer or other: only what it marked before the difference is used. A later turn writes a new one.',
    }
}

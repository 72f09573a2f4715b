/**
 * Brings one session of the store up to its log, from wherever it was: reads what is new, and first goes back
 * behind a place where the log is no longer what was read. Followers and reindexing both do exactly this.
 */
import type { EventId, SessionId } from '../format/ids.ts'
import type { WorkspaceFile } from '../format/workspace-file.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Breathe } from '../lib/yield-loop.ts'
import { defined } from '../lib/defined.ts'
import { readLog } from '../log/read.ts'
import { SHORT_BYTES, readShort } from '../log/read-short.ts'
import { readableSize } from '../log/redo.ts'
import { readMetadata } from '../workspace/metadata.ts'
import { readArtifacts } from './artifacts.ts'
import { readTakenBack } from './taken-back.ts'
import { readLeftStreams } from './left-streams.ts'
import { START, type Changes, type StoreCursor } from './store-changes.ts'
import { createFold, type Fold } from './index-session.ts'
import { placeBefore, readPlace, turnStart } from './store-position.ts'
import { inSession, logPath, sessionDir } from '../format/paths.ts'
import { knownArtifacts, type KnownArtifact, type SessionFacts } from './session-row.ts'
import type { Sql } from './sql.ts'

export type Step = {
  readonly changes: Changes
  readonly facts: SessionFacts
  /** About how many characters. */
  readonly weight: number
}

export type CatchUpOptions = {
  readonly redact?: (text: string) => string
  readonly signal?: AbortSignal
  /** So much is held in memory before it is written. */
  readonly stepWeight?: number
  /** Called between the portions that are read. */
  readonly breathe?: Breathe
}

const STEP_WEIGHT = 1024 * 1024

/**
 * The steps that are left to do, each to be applied before the next is asked for. None when the log holds no
 * record. Reads the store at its beginning only.
 */
export async function* stepsFor(
  fs: SessionFs,
  sql: Sql,
  id: SessionId,
  options: CatchUpOptions = {},
): AsyncGenerator<Step, void, void> {
  const base = readPlace(sql, id)?.place
  const known = knownArtifacts(sql, id)
  const facts = await readFacts(fs, id, { known, lastTurn: base?.turn?.start ?? 0 }, options)
  const size = await readableSize(fs, sessionDir(id))
  const drop = base && (await firstGoneTurn(fs, sql, id, base, size))
  const from = drop === undefined ? (base ?? START) : placeBefore(sql, id, drop)
  yield* stepsFrom(fs, { id, facts, base, drop, from, size }, options)
}

/** The same for a session that the store knows nothing of. `logSize` is how long its log was a moment ago. */
export async function* firstSteps(
  fs: SessionFs,
  { id, logSize }: { readonly id: SessionId; readonly logSize: number },
  options: CatchUpOptions = {},
): AsyncGenerator<Step, void, void> {
  const facts = await readFacts(fs, id, { known: NOTHING_KNOWN, lastTurn: 0 }, options)
  const [intent] = await fs.statMany([inSession(sessionDir(id), 'redoIntent')])
  const size = intent === undefined ? logSize : await readableSize(fs, sessionDir(id))
  yield* stepsFrom(fs, { id, facts, base: undefined, drop: undefined, from: START, size }, options)
}

const NOTHING_KNOWN: ReadonlyMap<string, KnownArtifact> = new Map()

type Stretch = {
  readonly id: SessionId
  readonly facts: SessionFacts
  readonly base: StoreCursor | undefined
  readonly drop: number | undefined
  readonly from: StoreCursor
  readonly size: number
}

async function* stepsFrom(
  fs: SessionFs,
  { id, facts, base: first, drop, from, size }: Stretch,
  options: CatchUpOptions,
): AsyncGenerator<Step, void, void> {
  const { stepWeight = STEP_WEIGHT, breathe } = options
  let base = first
  let place = from
  let fold: Fold | undefined
  let isFirst = true
  const step = (ended: Fold): Step => {
    const { ops, to } = ended.changes()
    const changes = { id, base, ops, to, ...(isFirst && drop !== undefined && { drop }) }
    base = to
    place = to
    fold = undefined
    isFirst = false
    return { changes, facts, weight: ended.weight }
  }
  for await (const records of recordsFrom(fs, id, from, size)) {
    if (options.signal?.aborted === true) return
    if (records.length === 0) continue
    fold ??= createFold(place, options)
    for (const record of records) fold.push(record)
    if (fold.weight >= stepWeight) yield step(fold)
    await breathe?.()
  }
  // Names and files may have changed where the log has not.
  fold ??= createFold(place, options)
  const isEmpty = fold.changes().to.lastEventId === null
  if (!isEmpty) yield step(fold)
}

async function* recordsFrom(fs: SessionFs, id: SessionId, from: StoreCursor, size: number) {
  if (size <= from.offset) return
  const stretch = {
    from: from.offset,
    to: size,
    ...(from.lastEventId !== null && { previousId: from.lastEventId as EventId }),
  }
  if (size - from.offset <= SHORT_BYTES) {
    yield await readShort(fs, logPath(sessionDir(id)), stretch)
    return
  }
  const options = { ...stretch, chunkBytes: CHUNK_BYTES, wholeLinesOnly: true }
  for await (const { records } of readLog(fs, logPath(sessionDir(id)), options)) yield records
}

const CHUNK_BYTES = 1024 * 1024

async function readFacts(
  fs: SessionFs,
  id: SessionId,
  {
    known,
    lastTurn,
  }: { readonly known: ReadonlyMap<string, KnownArtifact>; readonly lastTurn: number },
  { redact = (text) => text }: CatchUpOptions,
): Promise<SessionFacts> {
  const dir = sessionDir(id)
  const read = await readMetadata(fs, dir)
  const left = await readLeftStreams(fs, dir, { known, redact, lastTurn })
  const { files, takenBack } = await readTakenBack(fs, dir, known)
  return {
    file: 'file' in read ? withoutSecrets(read.file, redact) : undefined,
    artifacts: [...(await readArtifacts(fs, dir, known, redact)), ...left, ...files],
    ...defined({ takenBack }),
  }
}

/** A name is what a person typed, or the beginning of what they asked for. */
function withoutSecrets(file: WorkspaceFile, redact: CatchUpOptions['redact']): WorkspaceFile {
  if (redact === undefined) return file
  const { name, cwd, git_root: root, repository, branch } = file
  const clean = (text: string | undefined) => (text === undefined ? undefined : redact(text))
  return {
    ...file,
    ...defined({
      name: clean(name),
      cwd: clean(cwd),
      git_root: clean(root),
      repository: clean(repository),
      branch: clean(branch),
    }),
  }
}

/** Undefined when the log still begins with what was read. -1 when nothing of it stands. */
async function firstGoneTurn(
  fs: SessionFs,
  sql: Sql,
  id: SessionId,
  place: StoreCursor,
  size: number,
): Promise<number | undefined> {
  const { lastEventId, lastEventStart, offset, turnCount } = place
  const holds = (start: number, eventId: string) => stands(fs, id, { start, eventId, size })
  if (lastEventId !== null && offset <= size && (await holds(lastEventStart, lastEventId))) {
    return undefined
  }
  // Where a turn stands, all before it does: a log is only ever cut at its end.
  let low = 0
  let high = turnCount
  while (low < high) {
    const middle = (low + high) >>> 1
    const turn = turnStart(sql, id, middle)
    if (turn !== undefined && (await holds(turn.start, turn.eventId))) low = middle + 1
    else high = middle
  }
  // The last turn that stands may have lost its end, so it is read again.
  return low <= 1 ? -1 : low - 1
}

async function stands(
  fs: SessionFs,
  id: SessionId,
  { start, eventId, size }: { start: number; eventId: string; size: number },
): Promise<boolean> {
  if (start >= size) return false
  const portion = { from: start, to: size, chunkBytes: PROBE_BYTES, wholeLinesOnly: true }
  for await (const { records } of readLog(fs, logPath(sessionDir(id)), portion)) {
    const [record] = records
    if (record !== undefined) return record.start === start && record.event.id === eventId
  }
  return false
}

const PROBE_BYTES = 4096

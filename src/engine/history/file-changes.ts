/**
 * What became of files, as pairs of before and after: in one turn, in the whole session, by a rewind that is not done
 * yet, and in a fork beside the session it came from. Told from what was recorded; nothing is changed by asking.
 */
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { describeChanges, type GetContent, type Transition } from '../../project/describe.ts'
import { sameState, type Absent, type FileState } from '../../project/file-state.ts'
import { isOfProject, type JournalEntry } from '../../project/journal-entry.ts'
import type { StoredTurn } from '../../state/session-state.ts'
import { readForkOrigin } from '../../workspace/fork-origin.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { resume } from '../live/resume.ts'
import { planFiles, type FilePreview } from './rewind-files.ts'
import { recordedFiles, recordOf } from './session-files.ts'
import { sideOf, type FileSide } from './file-at-revision.ts'
import { toldFiles, type Told, type ToldFile } from './reported-files.ts'

export type ChangeScope =
  | { readonly kind: 'session' }
  /** What one turn did; named by its user.message. */
  | { readonly kind: 'turn'; readonly eventId: EventId }
  /** What a rewind to before this message would do to files: from now to then. */
  | { readonly kind: 'rewind'; readonly eventId: EventId }
  /** From the session that it was forked from to the fork, as far as they went apart. */
  | { readonly kind: 'fork' }

export type ChangedFile = {
  /** Relative to the root of the project, or to the session's folder. */
  readonly path: string
  /** The session's own are plan.md, files/ and research/. */
  readonly of: 'project' | 'session'
  readonly change: 'created' | 'modified' | 'deleted'
  readonly linesAdded: number
  readonly linesRemoved: number
  readonly isBinary?: true
  /** Known, at least in part, from what tools told alone: contents were not recorded, it cannot be restored. */
  readonly isTold?: true
  /** Of a rewind: whether it would be done. */
  readonly verdict?: FilePreview['verdict']
}

type Changes = {
  readonly files: readonly ChangedFile[]
  /** Of a fork: the session that it came from. */
  readonly origin?: SessionId
}

/** One file of a change, with both of its contents. */
export type FilePair = {
  readonly before: FileSide
  readonly after: FileSide
  /** What tools told of it in turns of which no contents were recorded. */
  readonly told?: readonly Told[]
}

type Pair = Transition & Pick<ChangedFile, 'of' | 'verdict'>
type Pairs = {
  readonly pairs: readonly Pair[]
  readonly get: GetContent
  readonly origin?: SessionId
}

export async function changes(
  engine: EngineContext,
  session: LiveSession,
  scope: ChangeScope,
): Promise<Changes> {
  const { pairs, get, origin } = await pairsOf(engine, session, scope)
  const files = await Promise.all(
    (['project', 'session'] as const).map(async (of) => {
      const own = new Map(pairs.filter((pair) => pair.of === of).map((pair) => [pair.path, pair]))
      const told = await describeChanges([...own.values()], get)
      return told.map(({ path, before, after, linesAdded, linesRemoved, binary }) => ({
        path,
        of,
        change: changeOf(before, after),
        linesAdded,
        linesRemoved,
        ...defined({ isBinary: binary, verdict: own.get(path)?.verdict }),
      }))
    }),
  )
  const told = await toldFiles(engine, session, turnsOf(session, scope))
  return { files: withTold(files.flat(), told, scope), ...defined({ origin }) }
}

/** In the order of their paths, those of the project first. */
function withTold(
  files: readonly ChangedFile[],
  told: ReadonlyMap<string, ToldFile>,
  { kind }: ChangeScope,
): readonly ChangedFile[] {
  if (told.size === 0) return files
  const isOfProject = ({ of }: ChangedFile) => of === 'project'
  const all = new Map(files.filter(isOfProject).map((file) => [file.path, file]))
  for (const { path, change, linesAdded, linesRemoved } of told.values()) {
    const known = all.get(path)
    all.set(path, {
      path,
      of: 'project',
      change: change === 'created' ? change : (known?.change ?? change),
      linesAdded: (known?.linesAdded ?? 0) + linesAdded,
      linesRemoved: (known?.linesRemoved ?? 0) + linesRemoved,
      isTold: true,
      ...(kind === 'rewind' && { verdict: 'notCovered' as const }),
    })
  }
  return [
    ...[...all.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
    ...files.filter((file) => !isOfProject(file)),
  ]
}

/** What a fork did is told by its record alone. */
function turnsOf(session: LiveSession, scope: ChangeScope): readonly StoredTurn[] {
  const { turns } = stateOf(session)
  if (scope.kind === 'session') return turns
  if (scope.kind === 'fork') return []
  const at = turns.findIndex(({ eventId }) => eventId === scope.eventId)
  if (at === -1) return []
  return turns.slice(at, scope.kind === 'turn' ? at + 1 : undefined)
}

export async function changedFile(
  engine: EngineContext,
  session: LiveSession,
  scope: ChangeScope,
  { path, of }: Pick<ChangedFile, 'path' | 'of'>,
): Promise<FilePair> {
  const { pairs, get } = await pairsOf(engine, session, scope)
  const pair = pairs.find((each) => each.path === path && each.of === of)
  const all = of === 'project' && (await toldFiles(engine, session, turnsOf(session, scope)))
  const told = all ? all.get(path)?.told : undefined
  if (pair === undefined) {
    if (told !== undefined) return { before: UNRECORDED, after: UNRECORDED, told }
    throw new EngineError('not_found', `${path} was not changed there, as far as was recorded.`)
  }
  const [before, after] = [await sideOf(pair.before, get), await sideOf(pair.after, get)]
  return { before, after, ...defined({ told }) }
}

const UNRECORDED = { kind: 'unknown', why: 'its content was not recorded' } as const

async function pairsOf(
  engine: EngineContext,
  session: LiveSession,
  scope: ChangeScope,
): Promise<Pairs> {
  if (scope.kind === 'fork') return forkPairs(engine, session)
  const get = await contentsOf(engine, session)
  if (scope.kind === 'rewind') return { pairs: await rewindPairs(engine, session, scope), get }
  const { entries } = (await recordOf(engine, session)).journal
  const wanted =
    scope.kind === 'session'
      ? entries
      : entries.filter((entry) => 'turnEventId' in entry && entry.turnEventId === scope.eventId)
  return { pairs: pairsFrom(wanted), get }
}

/** What was kept, and what git has of it. */
async function contentsOf(engine: EngineContext, session: LiveSession): Promise<GetContent> {
  await recordedFiles(engine, session)
  const { contents } = await recordOf(engine, session)
  return contents.get
}

/** Each path from where it was first to where it was last; what came to nothing is left out. */
function pairsFrom(entries: readonly JournalEntry[]): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const entry of entries) {
    const of = isOfProject(entry) ? 'project' : 'session'
    for (const { path, before, after } of entry.changes) {
      const key = `${of} ${path}`
      pairs.set(key, { path, of, before: (pairs.get(key) ?? { before }).before, after })
    }
  }
  return [...pairs.values()].filter(isSeen)
}

const isSeen = ({ before, after }: Pair): boolean =>
  !sameState(before, after) && before?.type !== 'folder' && after?.type !== 'folder'

async function rewindPairs(
  engine: EngineContext,
  session: LiveSession,
  { eventId }: { readonly eventId: EventId },
): Promise<Pair[]> {
  const start = stateOf(session).turns.find((turn) => turn.eventId === eventId)?.start
  if (start === undefined) throw noTurn(eventId)
  const { project, workspace } = await planFiles(engine, session, start)
  const pairs = [
    ...(project?.items ?? []).map((item) => ({ ...item, of: 'project' as const })),
    ...(workspace?.items ?? []).map((item) => ({ ...item, of: 'session' as const })),
  ].map(({ path, of, now, target, verdict }) => ({ path, of, before: now, after: target, verdict }))
  // A folder goes with what is in it.
  return pairs.filter((pair) => isSeen(pair) || pair.verdict === 'notCovered')
}

/** What both recorded before they parted is the same in both, so what only one has is its own. */
async function forkPairs(engine: EngineContext, session: LiveSession): Promise<Pairs> {
  const from = await readForkOrigin(engine.fs, session.dir)
  if (from === undefined)
    throw new EngineError(
      'invalid',
      'This session is no fork: there is nothing to compare it with.',
    )
  const origin = await resume(engine, from)
  const [own, theirs] = await Promise.all([recordOf(engine, session), recordOf(engine, origin)])
  const mine = new Set(own.journal.entries.map(keyOf))
  const common = new Set(theirs.journal.entries.map(keyOf))
  const here = pairsFrom(own.journal.entries.filter((entry) => !common.has(keyOf(entry))))
  const there = pairsFrom(theirs.journal.entries.filter((entry) => !mine.has(keyOf(entry))))
  const pairs = new Map<string, Pair>()
  for (const { path, of, before, after } of there)
    pairs.set(`${of} ${path}`, { path, of, before: after, after: before })
  for (const { path, of, before, after } of here)
    pairs.set(`${of} ${path}`, {
      path,
      of,
      before: (pairs.get(`${of} ${path}`) ?? { before }).before,
      after,
    })
  const [getHere, getThere] = [await contentsOf(engine, session), await contentsOf(engine, origin)]
  const get: GetContent = async (sha256) => (await getHere(sha256)) ?? getThere(sha256)
  return { pairs: [...pairs.values()].filter(isSeen), get, origin: from }
}

const keyOf = (entry: JournalEntry): string =>
  `${entry.kind} ${entry.at} ${'toolCallId' in entry ? entry.toolCallId : ''} ${'id' in entry ? entry.id : ''}`

const changeOf = (before: FileState | Absent, after: FileState | Absent): ChangedFile['change'] =>
  before === null ? 'created' : after === null ? 'deleted' : 'modified'

export const noTurn = (eventId: EventId): EngineError =>
  new EngineError('not_found', `No turn of this session begins with event ${eventId}.`, {
    details: { eventId },
  })

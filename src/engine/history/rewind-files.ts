/**
 * The part of a rewind that concerns files, of the user's project and of the session itself: one plan for both, one
 * application of both together with the change of the log, and a note beside what was removed that tells a redo what
 * to bring back.
 */
import { resolve } from 'node:path'
import { inSession } from '../../format/paths.ts'
import { defined } from '../../lib/defined.ts'
import { RewoundDamaged } from '../../log/errors.ts'
import { foldersAround, isProjectPath } from '../../project/file-state.ts'
import { applyRestore, type RestoreResult, type SkippedFile } from '../../project/restore.ts'
import type { RestoreItem, RestorePlan } from '../../project/restore-plan.ts'
import { pathOfEvent } from '../../workspace/files.ts'
import { PLAN } from '../../workspace/plan.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { companionFor, type LogStep } from './log-companion.ts'
import { readNote } from './rewind-note.ts'
import { NOTHING_LOST, lostFiles, type LostFiles } from './lost-files.ts'
import {
  foreignFiles,
  recordedFiles,
  recordOf,
  withoutProject,
  workspaceHistory,
} from './session-files.ts'
import type { WorkspacePlan } from './workspace-history.ts'

export type { SkippedFile }

export type FilePreview = {
  /** Relative to the root of the project, or to the session's folder. */
  readonly path: string
  /** The session's own are plan.md, files/ and research/. */
  readonly of: 'project' | 'session'
  readonly absolutePath: string
  readonly change: 'created' | 'modified' | 'deleted'
  /** Whether it would be restored, is so already, or is left alone: changed since, or no earlier version is known. */
  readonly verdict: 'restore' | 'already' | 'drifted' | 'notCovered'
  readonly linesAdded: number
  readonly linesRemoved: number
}

export type RewoundFiles = {
  /** Absolute paths. */
  readonly restoredFiles: readonly string[]
  readonly skippedFiles: readonly SkippedFile[]
  /** Files should have been taken back, and nothing was recorded of those of the project. */
  readonly filesUnrecorded: boolean
  /** Files that were changed as another home recorded it, whose contents are not in this one: they were left alone. */
  readonly foreignFiles?: readonly string[]
  /** Those of the restored ones that are gone, because they were not there then. */
  readonly removedFiles?: readonly string[]
  /** Folders that are gone, because they were not there then; what was in them is not named again. */
  readonly removedFolders?: readonly string[]
  /** The record of changed files is not whole: others may have been changed, and were left alone. */
  readonly isRecordDamaged?: true
  /** The project's folder, which people know paths by. */
  readonly root?: string
}

type FilesPlan = {
  /** Undefined where nothing was recorded. */
  readonly project: (RestorePlan & { readonly root: string }) | undefined
  readonly workspace: WorkspacePlan | undefined
  /** Files of the session that were changed, and of which no earlier version is known. */
  readonly unknown: readonly Pick<FilePreview, 'path' | 'change'>[]
  /** Files whose changes another home recorded; nothing is done by that. */
  readonly foreign: readonly string[]
  readonly lost: LostFiles
}

export const NO_FILES: FilesPlan = {
  project: undefined,
  workspace: undefined,
  unknown: [],
  foreign: [],
  lost: NOTHING_LOST,
}

/** What it takes to have files as they were when the log ended at `cutAt`. */
export async function planFiles(
  engine: EngineContext,
  session: LiveSession,
  cutAt: number,
): Promise<FilesPlan> {
  const project = await recordedFiles(engine, session)
  const turnEventIds = turnsFrom(session, cutAt)
  const plan = await project?.planRewind({ turnEventIds })
  const workspace = await planWorkspace(engine, session, cutAt)
  const known = new Set(workspace.items.map(({ path }) => path))
  const lost = project === undefined ? NOTHING_LOST : await lostFiles(engine, session, cutAt)
  return {
    project: project && plan && { ...without(plan, lost), root: project.root },
    workspace,
    unknown: changedSince(session, cutAt).filter(({ path }) => !known.has(path)),
    foreign: await foreignFiles(engine, session, turnEventIds),
    lost,
  }
}

/** What a file was before these turns is not known from what is left of its way through them. */
const without = (plan: RestorePlan, { paths }: LostFiles): RestorePlan => ({
  ...plan,
  items: plan.items.map((item) =>
    paths.includes(item.path) ? { ...item, verdict: 'notCovered' as const } : item,
  ),
})

/** The part of it that concerns the session's own files. */
export async function planWorkspace(
  engine: EngineContext,
  session: LiveSession,
  cutAt: number,
): Promise<WorkspacePlan> {
  const history = await workspaceHistory(engine, session)
  return history.planRewind(turnsFrom(session, cutAt))
}

const turnsFrom = (session: LiveSession, cutAt: number): string[] =>
  stateOf(session)
    .turns.filter(({ start }) => start >= cutAt)
    .map(({ eventId }) => eventId)

/** Which of the session's own files changed, as far as the log tells it. */
function changedSince(session: LiveSession, cutAt: number): FilesPlan['unknown'] {
  const { planChangedAt = -1, workspaceFiles } = stateOf(session)
  const plan = planChangedAt >= cutAt ? [{ path: PLAN, change: 'modified' } as const] : []
  const made = workspaceFiles.flatMap(({ path, start }) => {
    const own = pathOfEvent(path)
    return start >= cutAt && isProjectPath(own) ? [{ path: own, change: 'created' } as const] : []
  })
  return [...plan, ...made]
}

export function previewOf(
  { fs }: EngineContext,
  { dir }: LiveSession,
  plan: FilesPlan,
): readonly FilePreview[] {
  const { project, workspace, unknown } = plan
  const own = (path: string) => ({ of: 'session', absolutePath: native(fs, dir, path) }) as const
  const shown = ({ path, change, verdict, linesAdded, linesRemoved }: RestoreItem) => ({
    path,
    change,
    verdict,
    linesAdded,
    linesRemoved,
  })
  return [
    ...(project?.items ?? []).map((item) => ({
      ...shown(item),
      of: 'project' as const,
      absolutePath: resolve(project?.root ?? '', item.path),
    })),
    ...(workspace?.items ?? []).map((item) => ({ ...shown(item), ...own(item.path) })),
    ...unknown.map((each) => ({ ...each, ...own(each.path), ...NOT_COVERED })),
    ...lostOf(plan).map((path) => ({
      path,
      change: 'modified' as const,
      of: 'project' as const,
      absolutePath: resolve(project?.root ?? '', path),
      ...NOT_COVERED,
    })),
  ]
}

const NOT_COVERED = { verdict: 'notCovered', linesAdded: 0, linesRemoved: 0 } as const

/** Those that the record does not name in any way. */
const lostOf = ({ project, lost }: FilesPlan): readonly string[] =>
  lost.paths.filter((path) => project?.items.every((item) => item.path !== path))

type LogChange = Omit<LogStep, 'workspace'> & {
  /** The cut, or the return; it has happened when this resolves. */
  readonly changeLog: () => Promise<void>
}

/** Files and log, in one step: all of it happens, or nothing does. */
export async function applyFiles(
  engine: EngineContext,
  session: LiveSession,
  plan: FilesPlan,
  { changeLog, ...step }: LogChange,
): Promise<RewoundFiles> {
  const history = () => workspaceHistory(engine, session)
  const own = plan.workspace && (await (await history()).prepare(plan.workspace))
  let failure: unknown
  const companion = companionFor(
    { fs: engine.fs, dir: session.dir, history },
    { ...step, ...defined({ workspace: own }) },
    () =>
      changeLog().catch((cause: unknown) => {
        failure = cause
        throw cause
      }),
  )
  const files = plan.project && (await recordedFiles(engine, session))
  const result =
    files !== undefined && plan.project !== undefined
      ? await files.apply(plan.project, companion)
      : await applyRestore(await withoutProject(engine, session), NO_ITEMS, companion)
  if (result.outcome === 'files-rolled-back' && failure !== undefined) throw failure
  if (result.outcome !== 'success') throw refused(result)
  if (plan === NO_FILES) return UNTOUCHED
  const toNative = (path: string) => native(engine.fs, session.dir, path)
  const restored = (own?.changes ?? []).map(({ path }) => path)
  return {
    restoredFiles: [...result.restoredFiles, ...restored.map(toNative)],
    skippedFiles: [
      ...result.skippedFiles,
      ...skippedOf(plan, restored).map(({ path, reason }) => ({ path: toNative(path), reason })),
      ...skippedLost(plan),
    ],
    filesUnrecorded: plan.project === undefined,
    ...(plan.lost.isPartial && { isRecordDamaged: true as const }),
    ...(plan.project && removedBy(plan.project, result.restoredFiles)),
    ...(plan.foreign.length > 0 && { foreignFiles: plan.foreign }),
  }
}

export const skippedLost = (plan: FilesPlan): SkippedFile[] =>
  lostOf(plan).map((path) => ({
    path: resolve(plan.project?.root ?? '', path),
    reason: 'skipped-capture',
  }))

export function removedBy(
  { items, root }: RestorePlan & { readonly root: string },
  restored: readonly string[],
): Pick<RewoundFiles, 'removedFiles' | 'removedFolders' | 'root'> {
  const gone = items.filter(({ target }) => target === null)
  const removed = gone
    .map(({ path }) => resolve(root, path))
    .filter((path) => restored.includes(path))
  const folders = gone.flatMap(({ path, now, verdict }) =>
    now?.type === 'folder' && verdict === 'restore' ? [path] : [],
  )
  const outer = folders
    .filter((path) => !foldersAround(path).some((around) => folders.includes(around)))
    .map((path) => resolve(root, path))
  return {
    root,
    ...(removed.length > 0 && { removedFiles: removed }),
    ...(outer.length > 0 && { removedFolders: outer }),
  }
}

const NO_ITEMS: RestorePlan = { direction: 'rewind', position: 0, items: [] }

const UNTOUCHED: RewoundFiles = { restoredFiles: [], skippedFiles: [], filesUnrecorded: false }

const native = (fs: EngineContext['fs'], dir: string, path: string): string =>
  fs.nativePath(`${dir}/${path}`)

function skippedOf({ workspace, unknown }: FilesPlan, restored: readonly string[]): SkippedFile[] {
  const skipped = (workspace?.items ?? []).flatMap(({ path, verdict }): SkippedFile[] => {
    if (verdict === 'already' || restored.includes(path)) return []
    return [{ path, reason: verdict === 'notCovered' ? 'skipped-capture' : 'user-modified' }]
  })
  return [...skipped, ...unknown.map(({ path }) => ({ path, reason: 'skipped-capture' as const }))]
}

const refused = ({ outcome, error = outcome }: RestoreResult): EngineError =>
  new EngineError(
    'conflict',
    outcome === 'rollback-incomplete'
      ? `Files could not be restored, and not all of them could be put back (${error}). The conversation was left as it was.`
      : `Files could not be restored (${error}). They are as they were, and so is the conversation.`,
    { details: { outcome } },
  )

/** What a redo of this entry brings back. */
export async function planFilesBack(
  engine: EngineContext,
  session: LiveSession,
  entry: string,
): Promise<FilesPlan> {
  const note = await readNote(engine.fs, session.dir, entry)
  if (note === undefined) return NO_FILES
  await requireRestores(engine, session, [note.project?.id, note.workspace?.id])
  const project = await recordedFiles(engine, session)
  const plan = note.project && (await project?.planRedo(note.project.id))
  const history = await workspaceHistory(engine, session)
  return {
    project: project && plan && { ...plan, root: project.root },
    workspace: note.workspace && (await history.planRedo(note.workspace.id)),
    unknown: [],
    foreign: [],
    lost: NOTHING_LOST,
  }
}

/** Without the lines of its restores it is not known which files an undo took back. */
async function requireRestores(
  engine: EngineContext,
  session: LiveSession,
  ids: readonly (string | undefined)[],
): Promise<void> {
  const { entries, foreign } = (await recordOf(engine, session)).journal
  const known = [...entries, ...foreign].map((entry) => 'id' in entry && entry.id)
  if (ids.every((id) => id === undefined || known.includes(id))) return
  const path = engine.fs.nativePath(inSession(session.dir, 'changes'))
  throw new RewoundDamaged(path, 'lacks the line of that undo, or the line is damaged')
}

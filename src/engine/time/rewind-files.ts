/**
 * The part of a rewind that concerns files, of the user's project and of the session itself: one plan for both, one
 * application of both, and a note beside what was removed that tells a redo what to bring back.
 */
import { resolve } from 'node:path'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import { isProjectPath } from '../../project/file-state.ts'
import type { RestoreResult, SkippedFile } from '../../project/restore.ts'
import type { RestoreItem, RestorePlan } from '../../project/restore-plan.ts'
import { pathOfEvent } from '../../workspace/files.ts'
import { PLAN } from '../../workspace/plan.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { takeNote } from './rewind-note.ts'
import type { Restores } from './rewind-note.ts'
import { recordedFiles, workspaceHistory } from './session-files.ts'
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
}

type FilesPlan = {
  /** Undefined where nothing was recorded. */
  readonly project: (RestorePlan & { readonly root: string }) | undefined
  readonly workspace: WorkspacePlan | undefined
  /** Files of the session that were changed, and of which no earlier version is known. */
  readonly unknown: readonly Pick<FilePreview, 'path' | 'change'>[]
}

export const NO_FILES: FilesPlan = { project: undefined, workspace: undefined, unknown: [] }

/** What it takes to have files as they were when the log ended at `cutAt`. */
export async function planFiles(
  engine: EngineContext,
  session: LiveSession,
  cutAt: number,
): Promise<FilesPlan> {
  const project = await recordedFiles(engine, session)
  const plan = await project?.planRewind({ turnEventIds: turnsFrom(session, cutAt) })
  const workspace = await planWorkspace(engine, session, cutAt)
  const known = new Set(workspace.items.map(({ path }) => path))
  return {
    project: project && plan && { ...plan, root: project.root },
    workspace,
    unknown: changedSince(session, cutAt).filter(({ path }) => !known.has(path)),
  }
}

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

/** Of the session's own files, as far as the log tells it. */
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
  { project, workspace, unknown }: FilesPlan,
): readonly FilePreview[] {
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
    ...unknown.map((each) => ({
      ...each,
      ...own(each.path),
      verdict: 'notCovered' as const,
      linesAdded: 0,
      linesRemoved: 0,
    })),
  ]
}

type AppliedFiles = RewoundFiles & { readonly restores: Restores }

/** Both or neither: the project's files are restored as a whole, and what was done before is taken back if they cannot be. */
export async function applyFiles(
  engine: EngineContext,
  session: LiveSession,
  plan: FilesPlan,
  /** Said of the conversation when it fails. */
  otherwise: string,
): Promise<AppliedFiles> {
  if (plan === NO_FILES) return UNTOUCHED
  const history = await workspaceHistory(engine, session)
  const own = await (plan.workspace && history.apply(plan.workspace))?.catch((cause: unknown) => {
    throw failed(errorText(cause), otherwise)
  })
  const files = plan.project && (await recordedFiles(engine, session))
  const result = plan.project && (await files?.apply(plan.project))
  if (result !== undefined && result.outcome !== 'success') {
    const back = own?.id === undefined ? undefined : await history.planRedo(own.id)
    if (back !== undefined) await history.apply(back)
    throw refused(result, otherwise)
  }
  const toNative = (path: string) => native(engine.fs, session.dir, path)
  const left = skippedOf(plan, own?.restored ?? [])
  return {
    restoredFiles: [...(result?.restoredFiles ?? []), ...(own?.restored ?? []).map(toNative)],
    skippedFiles: [
      ...(result?.skippedFiles ?? []),
      ...left.map(({ path, reason }) => ({ path: toNative(path), reason })),
    ],
    filesUnrecorded: plan.project === undefined,
    restores: defined({ project: result?.id, workspace: own?.id }),
  }
}

const UNTOUCHED: AppliedFiles = {
  restoredFiles: [],
  skippedFiles: [],
  filesUnrecorded: false,
  restores: {},
}

const native = (fs: EngineContext['fs'], dir: string, path: string): string =>
  fs.nativePath(`${dir}/${path}`)

function skippedOf({ workspace, unknown }: FilesPlan, restored: readonly string[]): SkippedFile[] {
  const skipped = (workspace?.items ?? []).flatMap(({ path, verdict }): SkippedFile[] => {
    if (verdict === 'already' || restored.includes(path)) return []
    return [{ path, reason: verdict === 'notCovered' ? 'skipped-capture' : 'user-modified' }]
  })
  return [...skipped, ...unknown.map(({ path }) => ({ path, reason: 'skipped-capture' as const }))]
}

function refused({ outcome, error }: RestoreResult, otherwise: string): EngineError {
  if (outcome !== 'rollback-incomplete') return failed(error ?? outcome, otherwise, { outcome })
  return new EngineError(
    'conflict',
    `Files could not be restored, and not all of them could be put back (${error ?? ''}). ${otherwise}`,
    { details: { outcome } },
  )
}

const failed = (why: string, otherwise: string, details = {}): EngineError =>
  new EngineError(
    'conflict',
    `Files could not be restored (${why}). They are as they were. ${otherwise}`,
    { details },
  )

/** What a redo of this entry brings back. The note goes with the entry. */
export async function planFilesBack(
  engine: EngineContext,
  session: LiveSession,
  entry: string | undefined,
): Promise<FilesPlan> {
  const note = entry === undefined ? undefined : await takeNote(engine.fs, session.dir, entry)
  if (note === undefined) return NO_FILES
  const project = await recordedFiles(engine, session)
  const plan = note.project && (await project?.planRedo(note.project.id))
  const history = await workspaceHistory(engine, session)
  return {
    project: project && plan && { ...plan, root: project.root },
    workspace: note.workspace && (await history.planRedo(note.workspace.id)),
    unknown: [],
  }
}

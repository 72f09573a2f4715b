/**
 * What a session knows of files: the user's project, its own folder, and the one record of both. Opened when it is
 * first needed, and anew after another process may have written to the record.
 */
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { inSession, logPath } from '../../format/paths.ts'
import { errorText } from '../../lib/error-text.ts'
import { realPath } from '../../lib/real-path.ts'
import { foreignPaths } from '../../project/journal.ts'
import { isOfProject } from '../../project/journal-entry.ts'
import { openRecord, type FileRecord } from '../../project/record.ts'
import { recoverRestore, type Recovered, type Restoring } from '../../project/restore-intent.ts'
import { SCAN_LIMITS } from '../../project/scan.ts'
import { openTimeTravel, type TimeTravel } from '../../project/time-travel.ts'
import type { EngineContext } from '../engine-context.ts'
import type { LiveSession, SessionFiles } from '../live/live-session.ts'
import { companionFrom } from './log-companion.ts'
import { openWorkspaceHistory, type WorkspaceHistory } from './workspace-history.ts'

/** For recording. Undefined where the project's files are not to be recorded, or cannot be. */
export async function projectFiles(
  engine: EngineContext,
  session: LiveSession,
): Promise<TimeTravel | undefined> {
  return engine.trackFiles
    ? openProject(engine, session, await filesOf(engine, session))
    : undefined
}

/** For taking back: what was recorded once can be, whatever is recorded now. */
export async function recordedFiles(
  engine: EngineContext,
  session: LiveSession,
): Promise<TimeTravel | undefined> {
  const files = await filesOf(engine, session)
  const { journal } = await files.record
  if (!engine.trackFiles && !journal.entries.some(isOfProject)) return undefined
  return openProject(engine, session, files)
}

/** Files that these turns changed, recorded by another home than this one. */
export const foreignFiles = async (
  engine: EngineContext,
  session: LiveSession,
  turnEventIds: readonly string[],
): Promise<readonly string[]> =>
  foreignPaths((await recordOf(engine, session)).journal, turnEventIds)

export const recordOf = async (engine: EngineContext, session: LiveSession): Promise<FileRecord> =>
  (await filesOf(engine, session)).record

export async function workspaceHistory(
  engine: EngineContext,
  session: LiveSession,
): Promise<WorkspaceHistory> {
  const files = await filesOf(engine, session)
  const { fs, clock } = engine
  files.workspace ??= files.record.then((record) =>
    openWorkspaceHistory({ fs, dir: session.dir, clock, record }),
  )
  return files.workspace
}

async function filesOf(engine: EngineContext, session: LiveSession): Promise<SessionFiles> {
  const {
    files,
    writing: { writer },
  } = session
  if (files !== undefined && files.under === writer) {
    if (writer !== undefined || (await (await files.record).journal.isCurrent())) return files
  }
  const record = openRecord(engine.fs, session.dir, undefined, engine.mayCopy)
  session.files = { under: writer, record, project: undefined, workspace: undefined }
  return session.files
}

function openProject(
  engine: EngineContext,
  session: LiveSession,
  files: SessionFiles,
): Promise<TimeTravel | undefined> {
  files.project ??= open(engine, session, files.record)
  return files.project
}

async function open(
  engine: EngineContext,
  session: LiveSession,
  record: Promise<FileRecord>,
): Promise<TimeTravel | undefined> {
  const root = session.project.gitRoot ?? session.project.cwd
  if (isTooWide(root)) return undefined
  try {
    return await openTimeTravel({
      fs: engine.fs,
      sessionDir: session.dir,
      root,
      clock: engine.clock,
      record: await record,
      limits: { waitMs: LONGEST_WAIT_MS },
      mayGoOn: () => holdsLease(session),
      companionOf: (about) => companionFrom(groundOf(engine, session), about),
    })
  } catch (error) {
    session.feed.tell({
      type: 'session.error',
      data: {
        errorType: 'file_tracking',
        message: `Changes of files are not recorded (${errorText(error)}). A rewind cannot take them back.`,
      },
    })
    return undefined
  }
}

/** For a restore that concerns the session's own files alone. */
export async function withoutProject(
  engine: EngineContext,
  session: LiveSession,
): Promise<Restoring> {
  const { fs, clock } = engine
  return {
    fs,
    dir: session.dir,
    root: undefined,
    maxFileBytes: SCAN_LIMITS.maxFileBytes,
    clock,
    ...(await recordOf(engine, session)),
    mayGoOn: () => holdsLease(session),
    companionOf: (about) => companionFrom(groundOf(engine, session), about),
  }
}

/**
 * Settles a rewind or redo that a process could not end. The log has been settled before, and the caller has the right
 * to write. What is known of files is read anew afterwards.
 */
export async function settleFiles(engine: EngineContext, session: LiveSession): Promise<Recovered> {
  const isUnfinished = (await engine.fs.stat(inSession(session.dir, 'restoreIntent'))) !== undefined
  if (!isUnfinished) return { unsettled: [], told: [] }
  session.files = undefined
  try {
    const root = await realPath(session.project.gitRoot ?? session.project.cwd)
    await syncLog(engine.fs, logPath(session.dir))
    return await recoverRestore({ ...(await withoutProject(engine, session)), root })
  } finally {
    session.files = undefined
  }
}

/** What is found in the log is decided by: it must not be taken back by a power cut. */
async function syncLog(fs: EngineContext['fs'], path: string): Promise<void> {
  const file = await fs.openAppend(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const holdsLease = async ({ writing }: LiveSession): Promise<boolean> =>
  (await writing.writer?.lease.holds()) ?? false

const groundOf = (engine: EngineContext, session: LiveSession) => ({
  fs: engine.fs,
  dir: session.dir,
  history: () => workspaceHistory(engine, session),
})

/** A tool is not held back for longer: what was not read by then is named as not covered. */
const LONGEST_WAIT_MS = 2_000

/** A home or a disk is not a project: reading it would take hours. */
const isTooWide = (root: string): boolean => root === homedir() || dirname(root) === root

/** The part of a rewind that concerns the user's files: planned, applied in one piece, and taken back by a redo. */
import { inSession } from '../../format/paths.ts'
import type { SkippedFile } from '../../project/restore.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { projectFiles } from './project-files.ts'

export type { SkippedFile }

export type FilePreview = {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  /** Whether it would be restored, is so already, or is left alone because somebody else changed it since. */
  readonly verdict: 'restore' | 'already' | 'drifted' | 'notCovered'
  readonly linesAdded: number
  readonly linesRemoved: number
}

export type RewoundFiles = {
  readonly restoredFiles: readonly string[]
  readonly skippedFiles: readonly SkippedFile[]
}

export const NO_FILES: RewoundFiles = { restoredFiles: [], skippedFiles: [] }

export async function previewFiles(
  engine: EngineContext,
  session: LiveSession,
  cutAt: number,
): Promise<readonly FilePreview[]> {
  const files = await projectFiles(engine, session)
  if (files === undefined) return []
  const plan = await files.planRewind({ turnEventIds: turnsFrom(session, cutAt) })
  return plan.items.map(({ path, change, verdict, linesAdded, linesRemoved }) => ({
    path,
    change,
    verdict,
    linesAdded,
    linesRemoved,
  }))
}

export async function rewindFiles(
  engine: EngineContext,
  session: LiveSession,
  cutAt: number,
): Promise<RewoundFiles> {
  const files = await projectFiles(engine, session)
  if (files === undefined) {
    throw new EngineError(
      'invalid',
      'Changes of files were not recorded here. Nothing was changed. Rewind the conversation alone.',
    )
  }
  const plan = await files.planRewind({ turnEventIds: turnsFrom(session, cutAt) })
  if (plan.items.length === 0) return NO_FILES
  return settled(await files.apply(plan))
}

/** Only a rewind that took files back brings files back. */
export async function redoFiles(
  engine: EngineContext,
  session: LiveSession,
  entry: string | undefined,
): Promise<RewoundFiles> {
  if (entry === undefined || (await engine.fs.stat(markOf(session, entry))) === undefined)
    return NO_FILES
  const files = await projectFiles(engine, session)
  const result = await files?.redo()
  await engine.fs.remove(markOf(session, entry))
  return result === undefined ? NO_FILES : settled(result)
}

export async function markFilesRewound(
  engine: EngineContext,
  session: LiveSession,
  entry: string,
): Promise<void> {
  await engine.fs.writeAtomic(markOf(session, entry), new Uint8Array(), { durable: true })
}

const markOf = ({ dir }: LiveSession, entry: string) =>
  inSession(dir, 'rewoundFiles', { nnn: entry })

const turnsFrom = (session: LiveSession, cutAt: number): string[] =>
  stateOf(session)
    .turns.filter(({ start }) => start >= cutAt)
    .map(({ eventId }) => eventId)

function settled(
  result: RewoundFiles & { readonly outcome: string; readonly error?: string },
): RewoundFiles {
  if (result.outcome === 'success') {
    return { restoredFiles: result.restoredFiles, skippedFiles: result.skippedFiles }
  }
  throw new EngineError(
    'conflict',
    result.outcome === 'rollback-incomplete'
      ? `Files could not be restored, and not all of them could be put back (${result.error ?? ''}). The conversation was left as it was.`
      : `Files could not be restored (${result.error ?? result.outcome}). Files and conversation are as they were.`,
    { details: { outcome: result.outcome } },
  )
}

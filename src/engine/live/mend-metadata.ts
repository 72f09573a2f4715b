/** A session whose workspace.yaml is missing or broken opens all the same: the file is made again from the log. */
import type { SessionId } from '../../format/ids.ts'
import type { WorkspaceFile } from '../../format/workspace-file.ts'
import { defined } from '../../lib/defined.ts'
import {
  metadataFromLog,
  readMetadata,
  setAsideBroken,
  writeMetadata,
} from '../../workspace/metadata.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import { touch } from '../catalogue/dirty-markers.ts'
import { stateOf, type LiveSession } from './live-session.ts'
import { explainMissing } from './not-found-reason.ts'
import { logPath } from '../../format/paths.ts'

export async function mendMetadata(engine: EngineContext, session: LiveSession): Promise<void> {
  const read = await readMetadata(engine.fs, session.dir)
  if ('file' in read) return
  // It may have been deleted while it was opened: then nothing of it is made again.
  if ((await engine.fs.stat(logPath(session.dir))) === undefined) {
    throw await explainMissing(engine, session.id)
  }
  if ('broken' in read) await setAsideBroken(engine.fs, session.dir)
  await writeMetadata(engine.fs, session.dir, rebuiltFrom(engine, session.id, stateOf(session)))
  await touch(engine.fs, session.id)
}

export const rebuiltFrom = (
  engine: Pick<EngineContext, 'clock'>,
  id: SessionId,
  state: SessionState,
): WorkspaceFile =>
  metadataFromLog({
    id,
    project: state.project,
    checkpoints: state.compaction.checkpoints.length,
    createdAt: state.startTime ?? engine.clock().toISOString(),
    updatedAt: state.lastTimestamp ?? engine.clock().toISOString(),
    ...defined({ words: state.title ?? state.titleHint }),
  })

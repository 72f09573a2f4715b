/** What workspace.yaml tells of a session; nothing when it has no folder or the file cannot be read. */
import type { SessionId } from '../../format/ids.ts'
import type { WorkspaceFile } from '../../format/workspace-file.ts'
import { readMetadata } from '../../workspace/metadata.ts'
import type { EngineContext } from '../engine-context.ts'
import { sessionDir } from '../session-dir.ts'

export async function workspaceFile(
  engine: EngineContext,
  id: SessionId,
): Promise<WorkspaceFile | undefined> {
  const read = await readMetadata(engine.fs, sessionDir(id))
  return 'file' in read ? read.file : undefined
}

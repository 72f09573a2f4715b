/**
 * What workspace.yaml says of a session's copy, under the names that the Copilot CLI has for it. A link that is not ours
 * is neither used nor overwritten; in a home that the Copilot CLI uses too nothing of it is written, because it would
 * take our link for one of its own: `.reprise/remote.json` says it all.
 */
import type { SessionId } from '../format/ids.ts'
import { homeFolder, sessionDir } from '../format/paths.ts'
import type { WorkspaceFile } from '../format/workspace-file.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { readLink } from './link.ts'
import { updateMetadata } from '../workspace/metadata.ts'

type Linked = Pick<WorkspaceFile, 'remote_steerable' | 'mc_last_event_id'>

export const noteInWorkspace = (fs: SessionFs, id: SessionId, lastEventId: string): Promise<void> =>
  update(fs, id, { mc_last_event_id: lastEventId })

export const noteSteerable = (fs: SessionFs, id: SessionId, isSteerable: boolean): Promise<void> =>
  update(fs, id, { remote_steerable: isSteerable })

/** Which task it stands for now. */
export const noteTask = (fs: SessionFs, id: SessionId): Promise<void> => update(fs, id, {})

/** Under the name that the Copilot CLI has for it, too. */
export const noteDismissed = (fs: SessionFs, id: SessionId): Promise<void> =>
  updateMetadata(fs, sessionDir(id), (file) => ({ ...file, chronicle_sync_dismissed: true }))

async function update(fs: SessionFs, id: SessionId, linked: Linked): Promise<void> {
  if ((await fs.stat(homeFolder('copilotLogs'))) !== undefined) return
  const { task } = (await readLink(fs, sessionDir(id))) ?? {}
  await updateMetadata(fs, sessionDir(id), (file) => {
    const isTheirs = file.mc_session_id !== undefined && file.mc_session_id !== id
    return isTheirs ? file : { ...file, mc_task_id: task ?? id, mc_session_id: id, ...linked }
  })
}

/** The session of this home that stands for a task of Mission Control, as its workspace.yaml says. */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { sessionDir } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { inLanes } from '../../lib/map-concurrent.ts'
import { readMetadata } from '../../workspace/metadata.ts'
import { listSessions } from '../catalogue/catalogue.ts'

const LANES = 32

/** One that has the task's own id is found at once; for any other every session is looked at. */
export async function sessionOfTask(fs: SessionFs, taskId: string): Promise<SessionId | undefined> {
  const isIts = async (id: SessionId): Promise<boolean> => {
    const read = await readMetadata(fs, sessionDir(id))
    return 'file' in read && read.file.mc_task_id === taskId
  }
  if (isSessionId(taskId) && (await isIts(taskId))) return taskId
  const ids = (await listSessions(fs)).map(({ id }) => id)
  const found = await inLanes(ids, LANES, async (id) => ((await isIts(id)) ? id : undefined))
  return found.find((id) => id !== undefined)
}

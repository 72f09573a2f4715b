/** Changes workspace.yaml of a session, whichever process holds its log, and says so to those who list. */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { updateMetadata } from '../../workspace/metadata.ts'
import { sessionDir } from '../session-dir.ts'
import { touch } from '../catalogue/dirty-markers.ts'

type Change = Parameters<typeof updateMetadata>[2]

export async function changeMetadata(fs: SessionFs, id: SessionId, change: Change): Promise<void> {
  await updateMetadata(fs, sessionDir(id), change)
  await touch(fs, id)
}

/** How a session stands to Mission Control, as it is told to people. */
import type { RemoteMode, RemoteStatus } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import { inHome, inSession, logPath, sessionDir } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { CopyStatus } from './bring-copy.ts'
import type { Heard } from './client/remote-session.ts'
import { readLink } from './link.ts'

/** Before this process has sent anything: what its folder knows of the copy, and the home of what is to be sent; undefined where that is nothing yet. */
export async function lastStatus(fs: SessionFs, id: SessionId): Promise<CopyStatus | undefined> {
  const dir = sessionDir(id)
  const copy = (await readLink(fs, dir))?.copy
  const error = 'What came since is sent by the next process that can.'
  if (copy === undefined) {
    const due = await fs.stat(inHome('remoteDue', { id }))
    return due && { state: 'error', error, since: new Date(due.mtimeMs), isFinal: false }
  }
  const at = new Date((await fs.stat(inSession(dir, 'remote')))?.mtimeMs ?? 0)
  if ((await fs.stat(logPath(dir)))?.size === copy.logSize) return { state: 'active', at }
  return { state: 'error', error, since: at, isFinal: false }
}

/** Of one that runs on another machine. */
export const farStatus = (
  { at, isThere, isSteerable }: Heard,
  machine: string,
  url: string,
): RemoteStatus => ({
  mode: isSteerable ? 'steer' : 'export',
  state: isThere ? 'active' : 'error',
  url,
  machine,
  at,
  ...(!isThere && { error: `${machine} has not been heard of.` }),
})

/** Of a session of this home. */
export function copyStatus(
  mode: RemoteMode,
  copy: CopyStatus | undefined,
  url: string,
): RemoteStatus {
  if (mode === 'off') return { mode, state: 'off' }
  if (copy === undefined || copy.state === 'connecting') return { mode, state: 'connecting', url }
  if (copy.state === 'active') return { mode, state: 'active', url, at: copy.at }
  return { mode, state: 'error', url, error: copy.error, at: copy.since }
}

/** How a session stands to Mission Control, as it is told to people. */
import type { RemoteMode, RemoteStatus } from '../engine/remote-control.ts'
import type { CopyStatus } from './bring-copy.ts'
import type { Heard } from './far/far-session.ts'

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

/** Which sessions are open for writing in some process, ours or the Copilot CLI's. Nothing is opened for it. */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { inLanes } from '../../lib/in-lanes.ts'
import { foreignHolders } from '../../log/inuse-lock.ts'
import { readLease } from '../../log/lease.ts'
import { sessionDir } from '../session-dir.ts'

export type Holder = { readonly pid: number; readonly label: string; readonly since: string }

const LANES = 16

export async function holderIn(fs: SessionFs, id: SessionId): Promise<Holder | undefined> {
  const dir = sessionDir(id)
  const [lease, [pid]] = await Promise.all([readLease(fs, dir), foreignHolders(fs, dir)])
  if (lease?.alive === true) return { pid: lease.pid, label: lease.label, since: lease.since }
  return pid === undefined ? undefined : { pid, label: 'another program', since: '' }
}

export async function sessionsInUse(
  fs: SessionFs,
  ids: readonly SessionId[],
): Promise<readonly SessionId[]> {
  const holders = await inLanes(ids, LANES, (id) => holderIn(fs, id))
  return ids.filter((_, at) => holders[at] !== undefined)
}

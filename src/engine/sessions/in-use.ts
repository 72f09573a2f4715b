/** Which sessions are open for writing in some process, ours or the Copilot CLI's. Nothing is opened for it. */
import type { SessionId } from '../../format/ids.ts'
import { OWN } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { inLanes } from '../../lib/map-concurrent.ts'
import { foreignHolders } from '../../log/inuse-lock.ts'
import { readLease } from '../../log/lease.ts'
import { sessionDir } from '../session-dir.ts'

export type Holder = { readonly pid: number; readonly label: string; readonly since: string }

const LANES = 16

export async function holderIn(fs: SessionFs, id: SessionId): Promise<Holder | undefined> {
  const dir = sessionDir(id)
  const entries = await fs.list(dir)
  // Without a folder of ours nobody of us ever had it open.
  const lease = entries.some(({ name }) => name === OWN) ? await readLease(fs, dir) : undefined
  const [pid] = await foreignHolders(fs, dir, entries)
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

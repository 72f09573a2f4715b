/** Changes the files of a session that is open nowhere: here it is closed first, and nobody else gets the lease meanwhile. */
import type { SessionId } from '../../format/ids.ts'
import type { EngineContext } from '../engine-context.ts'
import { close } from '../live/close.ts'
import { refuseInUse } from '../sessions/remove.ts'
import { withLease } from './with-lease.ts'

export async function alone<T>(
  engine: EngineContext,
  id: SessionId,
  label: string,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  await close(engine, id)
  await refuseInUse(engine, id)
  return withLease(engine, id, label, work)
}

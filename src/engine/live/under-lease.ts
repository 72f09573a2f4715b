/**
 * Files beside the log, such as the inbox, what streams and the record of changed files, belong to the holder of the
 * lease. Work that began under a lease asks before it touches them: a process that took the session over has them then.
 */
import type { LiveSession } from './live-session.ts'

/** Whether the lease of this moment is held still, whenever it is asked. With a time, a look that is no older will do. */
export function underLease({
  writing,
}: Pick<LiveSession, 'writing'>): (withinMs?: number) => Promise<boolean> {
  const { writer } = writing
  return async (withinMs) =>
    writing.writer === writer && (await writer?.lease.holds(withinMs)) !== false
}

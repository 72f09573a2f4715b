/**
 * What is sent to a session is taken in in the order of the calls: a message first looks for the process that it belongs
 * to, a tool of a person does not, and would overtake it.
 */
import type { LiveSession } from '../live/live-session.ts'
import { deferred } from '../../lib/deferred.ts'

/** `taken` is called when it has its place. */
export async function takeInOrder<T>(
  { queue }: LiveSession,
  take: (taken: () => void) => Promise<T>,
): Promise<T> {
  const { promise, resolve: taken } = deferred<void>()
  const before = queue.coming
  queue.coming = promise
  await before
  return take(taken).finally(taken)
}

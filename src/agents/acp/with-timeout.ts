/** Waits for work, but not for ever. Work that comes too late is not waited for and not reported. */
import { deferred } from '../../lib/deferred.ts'

export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise, reject } = deferred<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    // What fails after its time has failed already, by being late.
    work.catch(() => {})
  }
}

/** Waits for work or for a signal, whichever comes first. Work that comes too late is not waited for and not reported. */
import { deferred } from './deferred.ts'

export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  const { promise, resolve } = deferred<'aborted'>()
  const onAbort = () => resolve('aborted')
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, work])
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (signal.aborted) work.catch(() => {}) // too late to be reported, as said above
  }
}

/** How long something takes, in milliseconds. */
import { performance } from 'node:perf_hooks'

export function timed(action: () => void): { readonly ms: number } {
  const startedAt = performance.now()
  action()
  return { ms: performance.now() - startedAt }
}

export async function timedAsync<T>(
  action: () => Promise<T>,
): Promise<{ readonly ms: number; readonly result: T }> {
  const startedAt = performance.now()
  const result = await action()
  return { ms: performance.now() - startedAt, result }
}

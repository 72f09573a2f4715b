/** Work that may fail without stopping what comes after it: the reason is kept, to be reported at the end. */
import { errorText } from './error-text.ts'

type Failure = { readonly reason: string; readonly cause: unknown }

export async function attempt<T>(work: () => Promise<T>): Promise<{ readonly ok: T } | Failure> {
  try {
    return { ok: await work() }
  } catch (cause) {
    return { reason: errorText(cause), cause }
  }
}

/** Does the same for every item, one after the other. */
export async function eachApart<T, R>(
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<{ readonly done: readonly R[]; readonly failed: readonly (Failure & { item: T })[] }> {
  const done: R[] = []
  const failed: (Failure & { item: T })[] = []
  for (const item of items) {
    const outcome = await attempt(() => work(item))
    if ('ok' in outcome) done.push(outcome.ok)
    else failed.push({ item, ...outcome })
  }
  return { done, failed }
}

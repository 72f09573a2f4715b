/** The session store, brought up to the logs first, for as long as a person may be kept waiting. */
import { EngineError } from '../engine/errors.ts'
import { grouped } from '../lib/grouped.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext, Wording } from './command.ts'

const LONGEST_WAIT_MS = 10_000

type Services = Pick<CommandContext, 'store' | 'working' | 'waiting' | 'isAlone'>

/** `stale`: something that is in the logs may be missing in it. What was read until then stays: who asks next waits less. */
export async function freshStore(
  context: Services,
): Promise<{ readonly store: Store; readonly stale: boolean }> {
  const store = await context.store()
  return { store, stale: (await store.isStale()) && !(await catchUp(context, store)) }
}

async function catchUp(context: Services, store: Store): Promise<boolean> {
  const { waitMs = LONGEST_WAIT_MS, signal } = context.waiting ?? {}
  if (waitMs === 0) return false
  const { StoreUnavailable } = await import('../store/connection.ts')
  try {
    const { finished } = await store.reindex({
      ...reading(context),
      signal: AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])]),
    })
    return finished
  } catch (cause) {
    // Another process has it, or it cannot be written: what is in it can still be asked.
    if (cause instanceof StoreUnavailable) return false
    throw cause
  } finally {
    context.working?.(undefined)
  }
}

/** How logs are read here. */
export const reading = ({ isAlone, working }: Services) => ({
  inBackground: isAlone !== true,
  onProgress: ({ done, total }: { readonly done: number; readonly total: number }) =>
    working?.(`${grouped(done)} of ${grouped(total)} sessions indexed`),
})

export const behind = ({ call }: Pick<Wording, 'call'>): string =>
  `The index is still behind the logs, so something may be missing. ${call('reindex')} brings it up to them.`

/** What the store refuses is said as every other refusal. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    const [{ StoreUnavailable }, { StoreOff }] = await Promise.all([
      import('../store/connection.ts'),
      import('../store/store-off.ts'),
    ])
    if (cause instanceof StoreOff) throw new EngineError('invalid', cause.message, { cause })
    if (cause instanceof StoreUnavailable) throw new EngineError('busy', cause.message, { cause })
    throw cause
  }
}

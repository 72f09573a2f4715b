/** The session store, brought up to the logs first, for as long as a person may be kept waiting. */
import { EngineError } from '../engine/errors.ts'
import { grouped } from '../lib/grouped.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext } from './command.ts'

const LONGEST_WAIT_MS = 10_000

type Services = Pick<CommandContext, 'store' | 'working'>

/** `isBehind`: something that is in the logs may be missing in it. */
export async function freshStore({
  store: open,
  working,
}: Services): Promise<{ readonly store: Store; readonly isBehind: boolean }> {
  const store = await open()
  try {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
    const caught = await store.catchUp({ signal, onProgress: (at) => working?.(indexed(at)) })
    return { store, isBehind: caught?.finished === false }
  } finally {
    working?.(undefined)
  }
}

export const BEHIND = 'The index is still behind the logs: /reindex brings it up to them.'

export const indexed = ({ done, total }: { readonly done: number; readonly total: number }) =>
  `${grouped(done)} of ${grouped(total)} sessions indexed`

/** What the store refuses is said as every other refusal. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    const { StoreUnavailable } = await import('../store/connection.ts')
    if (cause instanceof StoreUnavailable) throw new EngineError('busy', cause.message, { cause })
    throw cause
  }
}

/**
 * The session store, brought up to the logs before it is asked: for as long as somebody may be kept waiting, and no
 * longer. What was read until then stays, so whoever asks next waits less.
 */
import { StoreUnavailable } from '../../store/connection.ts'
import type { Store } from '../../store/store.ts'
import type { Cli, Given } from './command.ts'
import { showProgress } from './progress.ts'
import { yellow } from './render/span.ts'
import { WAIT_S } from './wait-option.ts'

type FreshStore = {
  readonly store: Store
  /** Something that is in the logs may be missing in it. */
  readonly stale: boolean
}

export async function freshStore(cli: Cli, given: Given): Promise<FreshStore> {
  const store = await cli.store()
  const stale = (await store.isStale()) && !(await catchUp(cli, store, given.whole('wait', 0)))
  if (stale && !cli.signal.aborted) {
    cli.out.note(
      yellow('The index is still behind the logs, so something may be missing. '),
      'reprise reindex brings it up to them.',
    )
  }
  return { store, stale }
}

async function catchUp(cli: Cli, store: Store, seconds = WAIT_S): Promise<boolean> {
  if (seconds === 0) return false
  const progress = showProgress(cli, 'indexed')
  const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(seconds * 1000)])
  try {
    return (await store.reindex({ signal, onProgress: progress.tell })).finished
  } catch (cause) {
    // Another process has it, or it cannot be written: what is in it can still be asked.
    if (cause instanceof StoreUnavailable) return false
    throw cause
  } finally {
    progress.end()
  }
}

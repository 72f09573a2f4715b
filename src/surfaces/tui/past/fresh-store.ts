/** The session store, brought up to the logs first, for as long as somebody may be kept waiting. */
import { StoreUnavailable } from '../../../store/connection.ts'
import type { Store } from '../../../store/store.ts'
import type { CommandHost } from '../commands/command.ts'

const LONGEST_WAIT_MS = 10_000

export async function freshStore(host: CommandHost): Promise<Store> {
  const store = await host.past.store()
  try {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
    const caught = await store.catchUp({ signal, onProgress: (at) => host.working(indexed(at)) })
    if (caught?.finished === false)
      host.say('The index is still behind the logs: /reindex brings it up to them.', 'faint')
  } catch (cause) {
    // Another process has it: what is in it can still be asked.
    if (!(cause instanceof StoreUnavailable)) throw cause
  } finally {
    host.working(undefined)
  }
  return store
}

export const indexed = ({ done, total }: { readonly done: number; readonly total: number }) =>
  `${done.toLocaleString('en')} of ${total.toLocaleString('en')} sessions indexed`

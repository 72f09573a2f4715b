/** /reindex: builds the index of all sessions anew, and says how far it is. */
import { counted } from '../commands/command.ts'
import type { CommandHost } from '../commands/command.ts'
import { indexed } from './fresh-store.ts'

export async function reindex(host: CommandHost): Promise<void> {
  host.working('reading all sessions')
  try {
    const store = await host.past.store()
    const done = await store.reindex({
      force: true,
      inBackground: true,
      onProgress: (at) => host.working(indexed(at)),
    })
    const gone = done.removed === 0 ? '' : `, ${done.removed.toLocaleString('en')} no longer there`
    host.say(`Indexed: ${counted(done.indexed, 'session')}${gone}.`, 'good')
    for (const { id, reason } of done.failed)
      host.say(`${id.slice(0, 8)} could not be indexed: ${reason}`, 'bad')
  } finally {
    host.working(undefined)
  }
}

/** /reindex: builds the index of all sessions anew, and says how far it is. */
import { counted } from '../commands/command.ts'
import type { Desk } from '../commands/command.ts'
import { indexed } from './fresh-store.ts'

export async function reindex(desk: Desk): Promise<void> {
  desk.working('reading all sessions')
  try {
    const store = await desk.past.store()
    const done = await store.reindex({
      force: true,
      inBackground: true,
      onProgress: (at) => desk.working(indexed(at)),
    })
    const gone = done.removed === 0 ? '' : `, ${done.removed.toLocaleString('en')} no longer there`
    desk.say(`Indexed: ${counted(done.indexed, 'session')}${gone}.`, 'good')
    for (const { id, reason } of done.failed)
      desk.say(`${id.slice(0, 8)} could not be indexed: ${reason}`, 'bad')
  } finally {
    desk.working(undefined)
  }
}

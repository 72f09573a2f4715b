/** What a program says of a copy is looked at before anything is changed: it is there, it is this session's, the task is known. */
import { EngineError } from '../engine/errors.ts'
import type { RemoteLink } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import type { Server } from './control-client.ts'
import { RemoteError } from './remote-error.ts'

export async function checkLink(
  server: Server,
  id: SessionId,
  { existing, task }: RemoteLink,
): Promise<Pick<RemoteLink, 'task'>> {
  if (existing !== undefined && existing !== id)
    throw new EngineError(
      'conflict',
      `The copy of this session is called ${id} at ${server.url}; ${existing} is another one. Nothing was changed.`,
    )
  if (existing !== undefined)
    await unlessGone(server.head(id), `There is no copy of this session at ${server.url}`)
  // Every copy has a task of its own, by its own id.
  if (task === undefined || task === id) return {}
  await unlessGone(server.tasks.show(task), `There is no task ${task} at ${server.url}`)
  return { task }
}

async function unlessGone(asked: Promise<unknown>, what: string): Promise<void> {
  try {
    await asked
  } catch (cause) {
    if (!(cause instanceof RemoteError && cause.trouble === 'gone')) throw cause
    throw new EngineError('not_found', `${what}. Nothing was changed.`, { cause })
  }
}

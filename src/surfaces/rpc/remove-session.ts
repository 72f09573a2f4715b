/** Deletes a session that may be open here, by the client that asked for it or by another, and tells all. */
import type { Removal } from '../../engine/sessions/remove.ts'
import { EngineError } from '../../engine/errors.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Server } from './server.ts'

export async function removeSession(server: Server, id: SessionId): Promise<Removal> {
  const open = server.find(id)
  // A session that has said nothing is nowhere but here.
  const isUnsaved = open?.ops.now?.hasLog === false
  const engine = open?.engine ?? (await server.engine())
  await server.close(id)
  const [removal] = isUnsaved ? [] : await engine.remove([id])
  const done: Removal = removal ?? { id, outcome: 'deleted', bytes: 0 }
  if (done.outcome !== 'kept') server.tellLifecycle('session.deleted', id)
  else if (done.error instanceof EngineError && done.error.code === 'internal') throw done.error
  return done
}

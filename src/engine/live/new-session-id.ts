/** An id for a session that does not exist yet. A caller that brings a source of ids answers for its form. */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'

export function newSessionId(engine: EngineContext): SessionId {
  const id = engine.newId()
  if (!isSessionId(id))
    throw new EngineError('internal', 'The id source gave something that can be no session id.')
  return id
}

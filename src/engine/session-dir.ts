/** The folder of a session, in the engine's words when the id is none. */
import { isSessionId, type SessionId } from '../format/ids.ts'
import { sessionDir as dirOf } from '../format/paths.ts'
import { EngineError } from './errors.ts'

export function sessionDir(id: SessionId): string {
  if (isSessionId(id)) return dirOf(id)
  throw new EngineError('invalid', `"${String(id)}" is not a session id. Nothing was changed.`)
}

/** Where things stand inside a home. Ids are checked before they become part of a path. */
import { isSessionId } from '../format/ids.ts'
import type { SessionId } from '../format/ids.ts'
import { EngineError } from './errors.ts'

export const SESSIONS = 'session-state'
export const TRASH = '.reprise/trash'

export function sessionDir(id: SessionId): string {
  if (!isSessionId(id)) {
    throw new EngineError('invalid', `"${String(id)}" is not a session id. Nothing was changed.`)
  }
  return `${SESSIONS}/${id}`
}

export const logPath = (dir: string): string => `${dir}/events.jsonl`

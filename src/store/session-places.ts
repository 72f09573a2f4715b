/** Where sessions stand inside a home. Apart from what reads them: a search starts without it. */
import type { SessionId } from '../format/ids.ts'

export const SESSIONS = 'session-state'
export const sessionDir = (id: SessionId): string => `${SESSIONS}/${id}`
export const logPath = (id: SessionId): string => `${sessionDir(id)}/events.jsonl`

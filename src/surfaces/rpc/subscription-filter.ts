/** Which events a client is told of: all of its sessions, but pieces of an answer only when it wants them. */
import type { SessionId } from '../../format/ids.ts'
import { isInterested } from './client.ts'
import type { Member } from './subscribers.ts'

/** Pieces of what is told whole a moment later. */
const PIECES: ReadonlySet<string> = new Set([
  'assistant.message_start',
  'assistant.message_delta',
  'assistant.reasoning_delta',
  'assistant.streaming_delta',
  'assistant.tool_call_delta',
])

/** Questions that only a client which said so knows how to answer. */
const SPECIAL: ReadonlySet<string> = new Set([
  'mcp.oauth_required',
  'mcp.headers_refresh_required',
  'sampling.requested',
  'auto_mode_switch.requested',
  'session_limits_exhausted.requested',
])

export function isToldTo({ client, streams }: Member, id: SessionId, type: string): boolean {
  if (PIECES.has(type) && !streams) return isInterested(client, id, type)
  return !SPECIAL.has(type) || isInterested(client, id, type)
}

/** A connection to an agent, as those see it who speak over it, and the codes that the protocol adds to JSON-RPC. */
import type { Fields } from '../../lib/fields.ts'

export interface Connection {
  request(method: string, params: Fields): Promise<unknown>
  notify(method: string, params: Fields): void
  /** Fails everything that waits. Nothing is sent or heard any more. */
  close(reason: Error): void
  readonly isClosed: boolean
}

/** Heard from the first message on; what is asked before a session listens is refused. */
export interface AgentHandlers {
  request(method: string, params: Fields, cancelled: AbortSignal): Promise<unknown>
  notification(method: string, params: Fields): void
  /** A line that is no JSON-RPC message. */
  odd(line: string, why: string): void
}

export const AUTH_REQUIRED = -32000
/** In the range that is left to implementations: what was asked for is not allowed here. */
export const NOT_ALLOWED = -32001

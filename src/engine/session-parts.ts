/** What one session may have of its own, in place of what the engine has for all. */
import type { Actor } from '../format/blobs.ts'
import type { Agent, PermissionPolicy } from './agent.ts'
import type { Agents, CompactionRules, EngineContext } from './engine-context.ts'
import type { Hook } from './hook.ts'

/** What a session may have of its own, and who acts in it. Lists may change as long as they stay the same list. */
export type SessionParts = {
  readonly actor?: Actor
  readonly agent?: Agent
  readonly policy?: PermissionPolicy
  /** Even reading in the project is asked for: a program decides about each call. */
  readonly asksToRead?: () => boolean
  readonly hooks?: readonly Hook[]
  readonly trackFiles?: boolean
  readonly clientName?: string
  readonly compaction?: CompactionRules
}

export function withParts(
  context: EngineContext,
  { agent, ...parts }: SessionParts,
): EngineContext {
  const own: EngineContext = {
    ...context,
    ...parts,
    ...(agent !== undefined && { agents: only(agent) }),
    // What waited, and what another process asks for, is done with the same parts.
    serveRequest: (session, request, given = own) => context.serveRequest(session, request, given),
    startNext: (session, given = own) => context.startNext(session, given),
  }
  return own
}

/** The caller that made the agent of one session ends it too. */
const only = (agent: Agent): Agents => ({ choose: async () => agent, close: async () => {} })

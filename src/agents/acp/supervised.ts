/** What is known of the agent behind one session of ours: its process, its own session, and what people chose in it. */
import type { NoticeSink, Switchboard } from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Fields } from '../../lib/fields.ts'
import { createAgentListener } from './agent-listener.ts'
import type { CommandLine } from './agent-process.ts'
import type { AgentSession, Limits } from './agent-session.ts'
import type { KnownAgent } from './known.ts'
import { outsideOf } from './acp-passthrough.ts'
import type { MemoryOddities } from './restoring.ts'
import type { RunningAgent } from './running-agent.ts'
import type { Spare } from './prewarmed-agent.ts'
import { createTerminals } from './terminals.ts'

export type SupervisorOptions = {
  readonly sessionId: SessionId
  readonly name: string
  readonly line: CommandLine
  /** Started before there was a session. */
  readonly spare: Spare
  readonly package?: string
  readonly memory: MemoryOddities
  readonly ownRules?: string
  readonly requiredMode?: string
  readonly plan?: KnownAgent['plan']
  /** It is not offered to have files read and written for it. */
  readonly withoutFiles?: boolean | undefined
  readonly mcpServers: readonly Fields[]
  readonly clientVersion: string
  readonly newId: () => string
  readonly limits: Limits
}

export type Supervised = {
  readonly options: SupervisorOptions
  readonly terminals: ReturnType<typeof createTerminals>
  readonly listener: ReturnType<typeof createAgentListener>
  switchboard: Switchboard | undefined
  notices: NoticeSink | undefined
  line: Disposable | undefined
  agent: RunningAgent | undefined
  session: AgentSession | undefined
  /** How often it died or did not come up since it last answered. */
  failures: number
  /** What people chose among its options. */
  chosen: Readonly<Record<string, string | boolean>>
}

export function notStarted(options: SupervisorOptions): Supervised {
  const terminals = createTerminals()
  const supervised: Supervised = {
    options,
    terminals,
    listener: createAgentListener(
      terminals,
      outsideOf(
        options.sessionId,
        () => supervised.switchboard,
        () => supervised.notices,
      ),
    ),
    switchboard: undefined,
    notices: undefined,
    line: undefined,
    agent: undefined,
    session: undefined,
    failures: 0,
    chosen: {},
  }
  return supervised
}

/**
 * Any program that speaks the Agent Client Protocol, as an agent: one process for each session, started when it is
 * needed, ended with the engine. A session keeps its id and its history whatever becomes of the process behind it.
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { findProgram } from './find-program.ts'
import { isKnownName, knownAgents } from './known.ts'
import type { KnownAgent } from './known.ts'
import { createAgentSupervisor } from './agent-supervisor.ts'
import type { Limits } from './agent-session.ts'
import type { AgentSupervisor } from './agent-supervisor.ts'
import type { Fields } from '../../lib/fields.ts'

export type AcpOptions = {
  /** In the log and in messages; an agent finds its own sessions again under the same name. */
  readonly name: string
  readonly command: string
  readonly args?: readonly string[]
  /** Besides the environment of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** On npm, where it can be had when it is missing. */
  readonly package?: string
  /** It does not show embedded resources to its model. */
  readonly hidesResources?: boolean
  /** What it does without asking, in words. */
  readonly ownRules?: string
  /** The mode that it has to be in before it is asked; without it nothing is sent. */
  readonly requiredMode?: string
  /** Given to every session of the agent. */
  readonly mcpServers?: readonly Fields[]
  readonly clientVersion?: string
  readonly newId?: () => string
  readonly limits?: Partial<Limits>
}

const LIMITS: Limits = {
  startMs: 120_000,
  cancelMs: 5000,
  firstRetryMs: 500,
  maxRetryMs: 30_000,
  idleMs: 10 * 60_000,
}

/** How to start an agent that is known by its name. */
export function knownAgent(name: string, { isUnattended = false } = {}): AcpOptions {
  if (!isKnownName(name)) {
    const names = Object.keys(knownAgents).join(', ')
    throw new Error(
      `No agent is known as "${name}". Known are ${names}; any other is given by its command.`,
    )
  }
  const { unattended, ...known }: KnownAgent = knownAgents[name]
  const { mode: requiredMode, env } = isUnattended ? unattended : {}
  return {
    ...known,
    name,
    command: findProgram(known)?.command ?? known.command,
    ...defined({ requiredMode, env }),
  }
}

export function acpAgent(options: AcpOptions): Agent {
  const { name, command, args = [], env } = options
  const supervisors = new Map<SessionId, AgentSupervisor>()
  const supervisorOf = (id: SessionId): AgentSupervisor => {
    let supervisor = supervisors.get(id)
    if (supervisor === undefined) {
      supervisor = createAgentSupervisor({
        sessionId: id,
        name,
        line: { command, args, ...defined({ env }) },
        ...defined({ package: options.package }),
        hidesResources: options.hidesResources ?? false,
        ...defined({ ownRules: options.ownRules, requiredMode: options.requiredMode }),
        mcpServers: options.mcpServers ?? [],
        clientVersion: options.clientVersion ?? '0.0.0',
        newId: options.newId ?? randomUUID,
        limits: { ...LIMITS, ...options.limits },
      })
      supervisors.set(id, supervisor)
    }
    return supervisor
  }
  return {
    name,
    run: (turn, signal) => supervisorOf(turn.sessionId).answer(turn, signal),
    reach: (between, signal) => supervisorOf(between.sessionId).reach(between, signal),
    async close() {
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.close()))
      supervisors.clear()
    },
  }
}

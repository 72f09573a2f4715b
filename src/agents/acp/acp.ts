/**
 * Any program that speaks the Agent Client Protocol, as an agent: one process for each session, started when it is
 * needed, ended with the engine. A session keeps its id and its history whatever becomes of the process behind it.
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { findProgram } from './find-program.ts'
import { isKnownName, knownAgents, type KnownAgent } from './known.ts'
import { createAgentSupervisor, type AgentSupervisor } from './agent-supervisor.ts'
import type { Limits } from './agent-session.ts'
import type { MemoryOddities } from './restoring.ts'
import { createSpare } from './prewarmed-agent.ts'
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
  readonly memory?: MemoryOddities
  /** What it does without asking, in words. */
  readonly ownRules?: string
  /** The mode that it has to be in before it is asked; without it nothing is sent. */
  readonly requiredMode?: string
  /** How it is put into plan mode, where that cannot be seen from its modes. */
  readonly plan?: KnownAgent['plan']
  readonly withoutFiles?: boolean
  /** Given to every session of the agent. */
  readonly mcpServers?: readonly Fields[]
  readonly clientVersion?: string
  readonly newId?: () => string
  readonly limits?: Partial<Limits>
}

const LIMITS: Limits = {
  startMs: 120_000,
  replayMs: 1500,
  cancelMs: 5000,
  firstRetryMs: 500,
  maxRetryMs: 30_000,
  idleMs: 10 * 60_000,
}

/** How to start an agent that is known by its name. */
export function knownAgent(
  name: string,
  {
    isUnattended = false,
    ...given
  }: Pick<AcpOptions, 'clientVersion'> & { isUnattended?: boolean } = {},
): AcpOptions {
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
    ...given,
    ...defined({ requiredMode, env }),
  }
}

export function acpAgent(options: AcpOptions): Agent {
  const { name, command, args = [], env } = options
  const supervisors = new Map<SessionId, AgentSupervisor>()
  const limits = { ...LIMITS, ...options.limits }
  const clientVersion = options.clientVersion ?? '0.0.0'
  const line = { command, args, ...defined({ env }) }
  const { withoutFiles } = options
  const spare = createSpare(line, { ...limits, clientVersion, withoutFiles })
  const supervisorOf = (id: SessionId): AgentSupervisor => {
    let supervisor = supervisors.get(id)
    if (supervisor === undefined) {
      supervisor = createAgentSupervisor({
        sessionId: id,
        name,
        line,
        spare,
        ...defined({ package: options.package }),
        memory: options.memory ?? {},
        ...defined({
          ownRules: options.ownRules,
          requiredMode: options.requiredMode,
          plan: options.plan,
        }),
        withoutFiles,
        mcpServers: options.mcpServers ?? [],
        clientVersion,
        newId: options.newId ?? randomUUID,
        limits,
      })
      supervisors.set(id, supervisor)
    }
    return supervisor
  }
  return {
    name,
    keepsContext: true,
    run: (turn, signal) => supervisorOf(turn.sessionId).answer(turn, signal),
    start: (between, signal) => supervisorOf(between.sessionId).start(between, signal),
    options: (id) => supervisors.get(id)?.options(),
    setOption: (between, choice, signal) =>
      supervisorOf(between.sessionId).setOption(between, choice, signal),
    introduce: spare.introduce,
    async close() {
      await spare.close()
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.close()))
      supervisors.clear()
    },
  }
}

/** Puts the parts together: a home on disk, the engine, the user's configuration, and an agent. */
import type { Agent, PermissionPolicy, Switchboard } from '../engine/agent.ts'
import { createEngine, type Engine, type Prepared } from '../engine/engine.ts'
import type { BeforeEffect } from '../engine/engine-context.ts'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { withRemote } from './follow-remote.ts'
import { withStore } from './follow-store.ts'
import { openHomeServices } from './home-services.ts'
import { findHome } from '../config/home.ts'
import { lazyUserTools } from './lazy-user-tools.ts'
import { passVariables } from '../lib/child-environment.ts'
import { defined } from '../lib/defined.ts'
import { mostRemote, type Launch } from '../surfaces/cli/copilot-options.ts'
import { keepDiagnostics, withTelemetry } from './wire-telemetry.ts'

export type OpenOptions = {
  /** Where sessions live. Default: $REPRISE_HOME, $COPILOT_HOME, ~/.reprise. */
  readonly home?: string
  /** In place of a home on disk. */
  readonly fs?: SessionFs
  /** Who answers. Default: the offline agent. */
  readonly agent?: Agent
  /** Decides what the agent may do. Default: ask the followers of the session. */
  readonly policy?: PermissionPolicy
  readonly clientName?: string
  readonly durability?: 'synced' | 'debounced'
  /** Waited for before anything that was allowed is done. */
  readonly beforeEffect?: BeforeEffect
  readonly answersQuestions?: boolean
  /** Record what tools change in the project, so that a rewind can take it back. Default: true. */
  readonly trackFiles?: boolean
  /** Routes raw ACP between an editor and the wrapped agent; nothing of it becomes an event. */
  readonly switchboard?: Switchboard
}

/** For programs: what is given and nothing else; no configuration is read. */
export async function openEngine({ home, fs, agent, ...rest }: OpenOptions = {}): Promise<Engine> {
  return createEngine({
    cwd: process.cwd(),
    trackFiles: true,
    ...rest,
    ...version(),
    fs: fs ?? openDisk(findHome(home).path),
    prepare: async () => ({
      agent: agent ?? (await import('../agents/offline/offline.ts')).offlineAgent(),
      userTools: lazyUserTools(),
      ...defined({ policy: rest.policy }),
    }),
  })
}

/** For people: with the configuration of their home, its hooks and rules, and the agent that it or they choose. */
export function openConfiguredEngine(
  options: Omit<OpenOptions, 'agent' | 'fs'> & {
    readonly home: string
    readonly cwd: string
    readonly agent?: string
    readonly model?: string
    /** Nobody is there to be asked, and not everything is allowed. */
    readonly isUnattended?: boolean
    readonly isHeadless?: boolean
    /** Variables that programs are given although they look secret, beside those of the configuration. */
    readonly passed?: readonly string[]
    /** What the command line adds to the configuration. */
    readonly launch: Launch
    /** Told of each name in the configuration that is no setting. */
    readonly onTrouble?: (message: string) => void
  },
): Engine {
  const { home, cwd, agent, model, launch, policy = () => 'ask', ...more } = options
  const { isUnattended, isHeadless, passed = [], onTrouble, ...rest } = more
  const fs = openDisk(home)
  const services = openHomeServices({ home })
  const prepare = async (): Promise<Prepared> => {
    const [{ loadConfig, unknownSettings }, { withLaunch }, { userParts }, { configuredAgents }] =
      await Promise.all([
        import('../config/load.ts'),
        import('../surfaces/cli/launch-config.ts'),
        import('./user-parts.ts'),
        import('./make-agent.ts'),
      ])
    const { config, instructions } = await withLaunch(await loadConfig(fs), launch, cwd)
    if (onTrouble !== undefined) (await unknownSettings(fs)).forEach(onTrouble)
    keepDiagnostics(home, process.env)
    passVariables(process.env, [...(config.environment?.pass ?? []), ...passed])
    const own = { fs, services, version: version().version ?? 'source' }
    const { policyWith, ...parts } = await userParts(config, own)
    const wishes = defined({ agent, model })
    return {
      agents: configuredAgents(wishes, config, {
        instructions,
        fs,
        services,
        launch,
        ...defined({ isUnattended, isHeadless }),
      }),
      userTools: lazyUserTools(),
      policy: policyWith(policy),
      ...parts,
    }
  }
  const engine = createEngine({
    cwd,
    trackFiles: true,
    closesUnused: true,
    ...rest,
    ...version(),
    fs,
    prepare,
  })
  return withTelemetry(withRemote(withStore(engine, services), process.env, mostRemote(launch)))
}

const version = () => (typeof REPRISE_VERSION === 'string' ? { version: REPRISE_VERSION } : {})

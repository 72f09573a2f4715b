/** Puts the parts together: a home on disk, the engine, and an agent. */
import type { Agent, PermissionPolicy } from './engine/agent.ts'
import { createEngine } from './engine/engine.ts'
import type { Engine } from './engine/engine.ts'
import { openDisk } from './fs/disk.ts'
import type { SessionFs } from './fs/session-fs.ts'
import { findHome } from './home.ts'

export type OpenOptions = {
  /** Where sessions live. Default: $REPRISE_HOME, $COPILOT_HOME, ~/.reprise. */
  readonly home?: string
  /** In place of a home on disk. */
  readonly fs?: SessionFs
  /** Who answers. Default: the offline agent. */
  readonly agent?: Agent | (() => Promise<Agent>)
  /** Decides what the agent may do. Default: ask whoever follows the session. */
  readonly policy?: PermissionPolicy
  readonly clientName?: string
  readonly durability?: 'synced' | 'debounced'
}

export async function openEngine(options: OpenOptions = {}): Promise<Engine> {
  const { home, fs, agent, ...rest } = options
  return createEngine({
    ...rest,
    fs: fs ?? openDisk(findHome(home).path),
    agent: agent ?? (async () => (await import('./agents/offline/offline.ts')).offlineAgent()),
    ...(typeof REPRISE_VERSION === 'string' && { version: REPRISE_VERSION }),
  })
}

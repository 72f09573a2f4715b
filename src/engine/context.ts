/** What every operation of one engine shares. */
import type { Draft } from '../format/event.ts'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Agent, PermissionPolicy, Switchboard, UserTools } from './agent.ts'
import type { Changes } from './home/changes.ts'
import type { Hook } from './turn/hooks.ts'
import type { LiveSession } from './live/live-session.ts'
import type { Project } from './home/project.ts'

export type Redact = (draft: Draft) => Promise<Draft>

/** Shares of the context window. */
export type CompactionRules = {
  readonly isOn: boolean
  /** From here on in the background, after a turn. */
  readonly backgroundAt: number
  /** From here on before the next turn. */
  readonly blockingAt: number
}

export type EngineContext = {
  readonly fs: SessionFs
  readonly agent: Agent
  /** What a person may have run without asking the agent. */
  readonly userTools?: UserTools | undefined
  readonly switchboard?: Switchboard | undefined
  readonly policy: PermissionPolicy
  readonly hooks: readonly Hook[]
  readonly redact?: Redact | undefined
  /** When a context is compacted by itself. May change while the session is open. */
  readonly compaction?: CompactionRules | undefined
  /** Record what tools change in the project, so that a rewind can take it back. */
  readonly trackFiles: boolean
  /** Somebody who watches can answer questions. */
  readonly answersQuestions: boolean
  /** Named in workspace.yaml and in the lease, so that people see who holds a session. */
  readonly clientName: string
  readonly version: string
  readonly durability: 'synced' | 'debounced'
  readonly clock: () => Date
  readonly newId: () => string
  readonly detectProject: (cwd: string) => Promise<Project>
  /** For followers of the whole home. */
  readonly changes: Changes
  /** Sessions that are open in this process. */
  readonly live: Map<SessionId, LiveSession>
}

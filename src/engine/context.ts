/** What every operation of one engine shares. */
import type { Draft } from '../format/event.ts'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Agent, PermissionPolicy } from './agent.ts'
import type { Changes } from './changes.ts'
import type { Hook } from './hooks.ts'
import type { LiveSession } from './live-session.ts'
import type { Project } from './project.ts'

export type Redact = (draft: Draft) => Promise<Draft>

export type EngineContext = {
  readonly fs: SessionFs
  readonly agent: Agent
  readonly policy: PermissionPolicy
  readonly hooks: readonly Hook[]
  readonly redact?: Redact | undefined
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

/** What every operation of one engine shares. Nothing else is read from the process: no directory, no environment. */
import type { ToolServerState } from './tool-server.ts'
import type { Actor } from '../format/blobs.ts'
import type { Draft } from '../format/event.ts'
import type { SessionId } from '../format/ids.ts'
import type { InboxReply, InboxRequest } from '../format/inbox.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { RedactStream } from '../lib/redact/redact-stream.ts'
import type { Agent, PermissionPolicy, Switchboard, UserTools } from './agent.ts'
import type { Changes } from './sessions/home-changes.ts'
import type { Project } from './sessions/project.ts'
import type { Feed } from './live/feed.ts'
import type { LiveSession } from './live/live-session.ts'
import type { Hook } from './hook.ts'
import type { Denial, PermissionRules } from './turn/permission-rules.ts'

export type Redact = (draft: Draft) => Promise<Draft>

/** A session whose log is needed elsewhere, should this machine be lost, has it there first. */
export type BeforeEffect = (id: SessionId, signal: AbortSignal) => Promise<void>

export type SandboxOptions = {
  /** `auto`: where the system has one. `on`: no command runs without. */
  readonly setting: 'auto' | 'on' | 'off'
  readonly env: NodeJS.ProcessEnv
}

/** Shares of the context window. */
export type CompactionRules = {
  readonly isOn: boolean
  /** From here on in the background, after a turn. */
  readonly backgroundAt: number
  /** From here on before the next turn. */
  readonly blockingAt: number
}

/** Who may answer. None is chosen, started or needed before a turn asks for one. */
export interface Agents {
  /** `recorded`: the agent that the session had, by its name. */
  choose(recorded: string | undefined): Promise<Agent>
  /** Ends those that were chosen. */
  close(): Promise<void>
}

export type EngineContext = {
  readonly fs: SessionFs
  readonly agents: Agents
  /** Who acts through this engine. */
  readonly actor: Actor
  /** Where a new session works when nothing else is said. */
  readonly cwd: string
  /** What a person may have run without asking the agent. */
  readonly userTools?: UserTools | undefined
  readonly switchboard?: Switchboard | undefined
  readonly policy: PermissionPolicy
  readonly asksToRead?: (() => boolean) | undefined
  /** What the rules of the user deny, by itself: for what is asked of nobody. */
  readonly denied?: Denial | undefined
  /** Rules as they are written, for people. */
  readonly rules?: PermissionRules | undefined
  /** The sandbox of commands, and the environment by which its places are found. Undefined: none. */
  readonly sandbox?: SandboxOptions | undefined
  /** Why no turn may start: a rule of permissions that cannot be read. */
  readonly broken?: string | undefined
  /** Files that the configuration has run: nothing but a person allows a tool to change them. */
  readonly hookFiles?: readonly string[] | undefined
  readonly toolServers: () => Promise<readonly ToolServerState[]>
  readonly hooks: readonly Hook[]
  readonly redact?: Redact | undefined
  /** The same for a text that comes in pieces. */
  readonly redactStream?: (() => RedactStream) | undefined
  /** Nobody who watches sees them either. */
  readonly redactsPieces?: boolean | undefined
  /** How often an agent is asked to go on in autopilot, in one turn. */
  readonly mostContinues?: number | undefined
  /** Whether a content of the project may be kept, for undo; undefined: every one. */
  readonly mayCopy?: ((bytes: Uint8Array) => boolean) | undefined
  /** When a context is compacted by itself. May change while the session is open. */
  readonly compaction?: CompactionRules | undefined
  /** What undo took back goes for good after so many days; undefined: it stays until it is discarded. */
  readonly keepRewoundDays?: number | undefined
  readonly noForks?: string | undefined
  /** Record what tools change in the project, so that a rewind can take it back. */
  readonly trackFiles: boolean
  /** Waited for before anything that was allowed is done. */
  readonly beforeEffect?: BeforeEffect | undefined
  /** People who watch can answer questions. */
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
  /** Those that are just being closed, since nobody uses them: who does now waits for it. */
  readonly closing: Map<SessionId, Promise<void>>
  /** To be called when one more is open. */
  readonly closeUnused: () => unknown
  /** The feeds of sessions that were closed while programs follow them, and how long the log was that they were told of. */
  readonly followed: Map<SessionId, { readonly feed: Feed; size: number }>
  /** Those that are being opened: however many ask, each is opened once. */
  readonly opening: Map<SessionId, Promise<LiveSession>>
  /** Acts on what another process asks of a session that is at work here; `own` is what that session has of its own. */
  readonly serveRequest: (
    session: LiveSession,
    request: InboxRequest,
    own?: EngineContext,
  ) => Promise<InboxReply>
  /** The first message that waits is sent. */
  readonly startNext: (session: LiveSession, own?: EngineContext) => void
}

/**
 * One session that is open in the server: who is connected to it and who is asked what. `create-hosted-session.ts`
 * makes it, `join-session.ts` says who comes and goes, `follow-session.ts` passes on what happens in it.
 */
import type { HomeServices } from '../../store/home-services.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Hook } from '../../engine/hook.ts'
import type { SessionParts } from '../../engine/session-parts.ts'
import type { Session } from '../../engine/session.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import type { AgentCommands } from './agent-commands.ts'
import type { AgentConfig } from './agent-config.ts'
import type { AnswerWait } from './answer-wait.ts'
import type { Canvases } from './canvases.ts'
import type { ClientTasks } from './client-tasks.ts'
import type { ExtensionQuestions } from './extensions/questions.ts'
import type { SessionExtensions } from './extensions/session-extensions.ts'
import type { Forms } from './forms.ts'
import type { GitHubAuth, WaitingNotification } from './client-state.ts'
import type { IdleWait } from './idle-wait.ts'
import type { Members } from './subscribers.ts'
import type { OfferedCommands } from './offered-commands.ts'
import type { OfferedTools } from './offered-tools.ts'
import type { ServerParts } from './parts.ts'
import type { Permissions } from './permissions.ts'
import type { Questions } from './questions.ts'
import type { TurnHeaders } from './request-headers.ts'
import type { ScheduleTimers } from './schedule-timers.ts'
import type { SessionAgent } from './session-agent.ts'
import type { SubagentConfig } from './session-config.ts'
import type { PendingServerRequests } from './server-requests.ts'
import type { SessionServers } from './session-servers.ts'
import type { ShellTasks } from './shell-tasks.ts'
import type { Shells } from './shells.ts'
import type { WireEvent } from './wire.ts'

export type HostedSession = {
  readonly id: SessionId
  readonly parts: ServerParts
  /** The engine of the home that it is in. */
  readonly engine: Engine
  /** Sessions whose files a client owns have none. */
  readonly services: HomeServices | undefined
  ops: Session
  /** What `ops` was opened with. */
  sessionParts: SessionParts
  /** What its clients said of the agent. */
  config: AgentConfig
  readonly members: Members
  readonly permissions: Permissions
  readonly questions: Questions
  readonly forms: Forms
  readonly tools: OfferedTools
  readonly servers: SessionServers
  readonly serverRequests: PendingServerRequests
  /** Answers of the model for tool servers, while they are awaited. */
  readonly samplings: Map<string, AbortController>
  /** What pages of tool servers are told of where they are shown. */
  hostContext: Readonly<Record<string, unknown>>
  readonly canvases: Canvases
  readonly extensions: SessionExtensions
  readonly extensionQuestions: ExtensionQuestions
  readonly commands: OfferedCommands
  readonly agentCommands: AgentCommands
  readonly agent: SessionAgent
  readonly shells: Shells
  /** Commands of a person that run, by what their client calls them. */
  readonly userCommands: Set<string>
  readonly headers: TurnHeaders
  /** Who it is at GitHub, as a client said. */
  gitHubAuth: GitHubAuth | undefined
  readonly engagementId: string
  readonly autoModeHandlers: Set<string>
  /** What the agent is told at the next point where it can hear it. */
  readonly notifications: WaitingNotification[]
  readonly answerWait: AnswerWait
  readonly clientTasks: ClientTasks
  readonly shellTasks: ShellTasks
  readonly scheduleTimers: ScheduleTimers
  /** Set in this session by a client, until it takes them back. */
  subagents: SubagentConfig | undefined
  /** The only models that may be chosen, where a client said so. */
  allowedModels: readonly string[] | undefined
  /** Sub-agents that a client wants to see no more. */
  readonly removedTasks: Set<string>
  /** The user's own. `hooks` has those of the clients besides, and is changed in place. */
  ownHooks: readonly Hook[]
  loadHooks(): Promise<readonly Hook[]>
  readonly hooks: Hook[]
  readonly startedAt: Date
  /** The last time that something was asked of it or happened in it. */
  lastUsedMs: number
  /** Stays open although nobody is connected to it. */
  isPreloaded: boolean
  /** Of the answer that comes in pieces now. */
  streamedBytes: number
  readonly idleWait: IdleWait<Notice>
  /** Called when what runs is over. */
  readonly onIdle: Set<() => void>
  /** Called with everything that its clients are told; `onTold` after all of them. */
  readonly listeners: Set<(event: WireEvent) => void>
  readonly onTold: (session: HostedSession, event: WireEvent) => void
  lastEventId: EventId | null
  /** Told, and not in the log yet. */
  readonly toldAhead: Set<EventId>
  /** Followed until this is aborted; undefined while it sleeps. */
  watching: AbortController | undefined
  waking: Promise<void> | undefined
}

/** What runs waits for an answer, and no client is connected that could give it. */
export function isForsaken({ ops, permissions, questions, tools }: HostedSession): boolean {
  if (ops.now?.isRunning !== true) return false
  return permissions.isForsaken || questions.isForsaken || tools.isForsaken
}

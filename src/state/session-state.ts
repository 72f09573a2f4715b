/**
 * What a session is now, folded from its log. Small and plain JSON whatever the length of the log: no
 * message text is in it, only places where texts can be read, so a snapshot of it is read in milliseconds.
 */
import type { Payload } from '../format/event.ts'
import type { EventId, SessionId } from '../format/ids.ts'
import type { RecordedCanvas } from './canvases.ts'
import type { ByteRange } from './positioned-event.ts'
import type { Schedules } from './schedules.ts'
import type { Task } from './subagents.ts'
import { noUsage, type Usage } from './usage.ts'

export type SessionState = {
  readonly sessionId?: SessionId
  /** The version of the format, as the log's first event tells it. */
  readonly version?: number
  readonly producer?: string
  readonly startTime?: string
  readonly lastEventId?: EventId
  readonly lastTimestamp?: string
  readonly eventCount: number
  readonly strangerCount: number
  /** End of the last event. */
  readonly size: number

  readonly project: ProjectContext
  readonly model?: string
  readonly reasoningEffort?: string
  readonly reasoningSummary?: string
  readonly verbosity?: string
  readonly mode: string
  /** The agent that answers, by its name, where the log says it. */
  readonly answeredBy?: string
  /** The custom agent that was selected. */
  readonly agentName?: string

  /** Which instruction files and skills a person switched off or on in this session, by kind and name. */
  readonly switches?: Readonly<Record<string, boolean>>

  /** Where the system prompt in force is. */
  readonly systemMessage?: ByteRange
  /** The model context is projected from here: the log's start, or where the last compaction or clearing began. */
  readonly contextFrom: number
  readonly compaction: Compaction
  readonly messageCount: number

  readonly openTurns: readonly OpenTurn[]
  readonly pendingTools: readonly PendingTool[]
  readonly openRequests: readonly OpenRequest[]

  readonly skills: readonly InvokedSkill[]
  /** Sub-agents, in the order in which they were set to work; the oldest are let go. */
  readonly tasks: readonly Task[]
  /** Prompts that are to be sent later; absent when none ever was. */
  readonly schedules?: Schedules
  /** Panels that clients show beside it; absent when none ever was. */
  readonly canvases?: readonly RecordedCanvas[]
  readonly handoff?: Handoff
  readonly remoteSteerable: boolean
  readonly plan: 'none' | 'present'
  /** Where the last event about the plan begins. */
  readonly planChangedAt?: number
  readonly workspaceFiles: readonly WorkspaceFile[]
  readonly turns: readonly StoredTurn[]
  readonly usage: Usage
  /** Of what a fork has from its source: it was spent there. */
  readonly copied: Usage
  readonly limits?: Limits
  readonly lastShutdown?: Shutdown
  /** What the agent calls the session. */
  readonly title?: string
  /** What a session without a name may be called: the start of its first prompt. */
  readonly titleHint?: string
  /** The agent said that its task is over, and nothing was asked since. */
  readonly taskDone: boolean
  readonly errorCount: number
  readonly abortCount: number
}

/** Where the user's work is, as the session saw it last. */
export type ProjectContext = {
  readonly cwd?: string
  readonly gitRoot?: string
  readonly repository?: string
  readonly hostType?: string
  readonly repositoryHost?: string
  readonly branch?: string
  readonly headCommit?: string
  readonly baseCommit?: string
}

type Compaction = {
  readonly inProgress?: CompactionStart
  readonly checkpoints: readonly CheckpointRef[]
}

export type CompactionStart = {
  readonly eventId: EventId
  readonly at: string
  readonly start: number
  readonly messages: number
}

export type CheckpointRef = {
  readonly number: number
  readonly path?: string
  readonly eventId: EventId
  readonly start: number
  readonly at: string
}

/** A model call that began and has not ended. */
export type OpenTurn = { readonly turnId: string; readonly agentId?: string }

/** Announced by the model or started, and without a result so far. */
export type PendingTool = {
  readonly toolCallId: string
  readonly toolName: string
  readonly start: number
  readonly agentId?: string
  readonly parentToolCallId?: string
}

/** A permission that was asked for and not decided. */
export type OpenRequest = {
  readonly requestId: string
  readonly kind: string
  readonly start: number
  readonly toolCallId?: string
  readonly agentId?: string
}

export type InvokedSkill = { readonly name: string; readonly path: string }

type Handoff = {
  readonly time: string
  readonly sourceType: string
  readonly eventId: EventId
  readonly start: number
  readonly remoteSessionId?: string
  readonly host?: string
}

/** What the state keeps of a turn; where it ends is where the next one starts. */
export type StoredTurn = {
  readonly index: number
  readonly eventId: EventId
  readonly start: number
  readonly at: string
  readonly preview: string
  /** How many events are before it. */
  readonly eventsBefore: number
}

/** `start` is the first event about the file: a fork from before it has no such file. */
export type WorkspaceFile = { readonly path: string; readonly start: number }

type Limits = NonNullable<Payload<'session.session_limits_changed'>['sessionLimits']>

type Shutdown = {
  readonly shutdownType: string
  readonly at: string
  readonly eventId: EventId
}

export const initialState: SessionState = {
  eventCount: 0,
  strangerCount: 0,
  size: 0,
  project: {},
  mode: 'interactive',
  contextFrom: 0,
  compaction: { checkpoints: [] },
  messageCount: 0,
  openTurns: [],
  pendingTools: [],
  openRequests: [],
  skills: [],
  tasks: [],
  remoteSteerable: false,
  plan: 'none',
  workspaceFiles: [],
  turns: [],
  usage: noUsage,
  copied: noUsage,
  taskDone: false,
  errorCount: 0,
  abortCount: 0,
}

/**
 * A session that is open in this process: what is known of it, who watches it, and what runs in it now. All that
 * changes while it is open is here; the three states change through `machine.ts` alone.
 */
import type { Draft, Payload, ToldDraft } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import type { ShownQuestion } from '../../format/inbox.ts'
import type { Lease } from '../../log/lease-hold.ts'
import type { SessionLog } from '../../log/open.ts'
import type { FileRecord } from '../../project/record.ts'
import type { TimeTravel } from '../../project/time-travel.ts'
import type { ContextFolder } from '../../state/context-folder.ts'
import type { Interrupted } from '../../state/repair.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { Pieces } from '../../state/unfinished.ts'
import type { Agent, PermissionDecision, PermissionRequest } from '../agent.ts'
import { EngineError } from '../errors.ts'
import type { Grants } from '../permission/grants.ts'
import type { Project } from '../sessions/project.ts'
import type { WorkspaceHistory } from '../history/workspace-history.ts'
import type { QueuedMessage, RunningTurn, Steering } from '../turn/message.ts'
import type { Feed } from './feed.ts'
import type { FoldedLog } from './folded-log.ts'
import type { Gauge } from './context-usage.ts'
import type { LeaseState, QueueState, WorkState } from './machine.ts'

export type LiveSession = {
  readonly id: SessionId
  readonly dir: string
  readonly feed: Feed
  readonly watcher: LogWatcher
  readonly openedAt: Date
  /** The name that the session was created with. */
  readonly givenName: string | undefined
  project: Project
  /** Chosen for this session by a person, and closed with it. */
  agent: Agent | undefined
  /** The one that the engine chose for it. */
  chosen: Promise<Agent> | undefined

  readonly use: Use
  readonly writing: Writing
  readonly work: Work
  readonly queue: Queue
  readonly written: Written
  readonly asks: Asks

  /** Derived from the log, and made again when thrown away. */
  folded: FoldedLog
  context: KnownContext | undefined
  /** What is known of files and of their changes; opened when first needed. */
  files: SessionFiles | undefined
}

/** By operations of this process. */
type Use = {
  underWay: number
  /** When the last began or ended, by `performance.now`. */
  lastAt: number
}

/** The right to write. */
type Writing = {
  state: LeaseState
  writer: Writer | undefined
  /** Under way: the lease being asked for, or given back. */
  changing: Promise<unknown> | undefined
  /** How many actions rely on the right to write now. */
  users: number
  /** Another process took it from under them: until the last of them has ended none may ask for it anew. */
  isLost: boolean
}

export type Writer = { readonly lease: Lease; readonly log: SessionLog }

export type SessionFiles = {
  /** The right to write under which it was opened: while it is held, nobody else adds to the record. */
  readonly under: Writer | undefined
  readonly record: Promise<FileRecord>
  /** The user's project. */
  project: Promise<TimeTravel | undefined> | undefined
  /** The session's own folder. */
  workspace: Promise<WorkspaceHistory> | undefined
}

type Work = {
  state: WorkState
  running: RunningTurn | undefined
  /** Resolves when the work that runs now, if any, is settled. */
  ended: Promise<void>
  /** Messages for the running turn that its agent has not taken yet. */
  steering: Steering[]
  /** What is told of it and is in no event yet. */
  readonly pieces: Pieces
  gauge: Gauge | undefined
  /** A compaction that runs by itself. */
  compacting: Promise<void> | undefined
  /** A title that is asked for. */
  titling: { readonly done: Promise<void>; readonly abort: AbortController } | undefined
  /** Open while other processes may ask something of this one. */
  inbox: Promise<AsyncDisposable | undefined> | undefined
  /** Resolves when an earlier one is closed: two would take each other's files away. */
  inboxClosed: Promise<void>
}

type Queue = {
  state: QueueState
  readonly messages: QueuedMessage[]
  /** Those that wait no more and are not in the log yet: the file has them until they are. */
  readonly sending: Set<QueuedMessage>
  /** Resolves when what was sent last has its place. */
  coming: Promise<void> | undefined
  /** Those of another process that wait or waited here: they are found once. */
  readonly seen: Set<string>
  /** Tools of a person that wait, in the order in which they were asked for. */
  readonly tools: WaitingTool[]
  /** Brings what waits to disk. */
  readonly keep: () => Promise<void>
  /** When the last change is there; undefined before the first that is made in this process. */
  kept: Promise<void> | undefined
}

/** It is next when none of the messages that were sent before it waits any more. */
export type WaitingTool = {
  readonly behind: ReadonlySet<string>
  readonly begin: () => void
  readonly withdraw: () => void
}

/** What is on disk of it, by this process's own doing. */
type Written = {
  /**
   * What goes first once something happens: session.start of a new session, session.resume of an old one.
   * By itself it makes no log and touches none.
   */
  opening: Opening | undefined
  /** The opening while it is being appended: what was chosen before counts then, too. */
  underWay: Opening | undefined
  /** Calls of the last turn that are gone on with: the opening does not settle them. */
  kept: ReadonlySet<string> | undefined
  /** What a killed process left unsaid; it goes before everything else. */
  interrupted: (Interrupted & { isTaken: boolean }) | undefined
  hasLog: boolean
  hasFolder: boolean
  /** Nothing was written since the last rewind: its redo is still possible and must stay so. */
  isAtCut: boolean
  /** This process has written to the log, so the end of its part is worth recording. */
  hasWritten: boolean
  /** The hooks of its start have run in this process. */
  ranStartHooks: boolean
}

/**
 * Made from the state of that moment, from the agent that answers then, if one was chosen, from what was left unsaid,
 * and from the calls that are gone on with.
 */
export type Opening = (
  state: SessionState,
  agent: string | undefined,
  interrupted: Interrupted | undefined,
  kept: ReadonlySet<string> | undefined,
) => readonly (Draft | ToldDraft)[]

/** What waits for a person, and what a person has allowed. */
type Asks = {
  readonly pending: Map<string, PendingRequest>
  readonly questions: Map<string, PendingQuestion>
  /** What a process that is gone asked and was not answered, until it is asked again here. */
  readonly left: Map<string, LeftRequest>
  /** What a person answered to a question of such a process, by its call; undefined declines it. */
  readonly said: Map<string, { readonly answer: string | undefined }>
  /** What a person allowed until this process ends. Never read from a log. */
  readonly grants: Grants
}

type PendingRequest = {
  readonly request: PermissionRequest
  decide(decision: PermissionDecision): void
}

export type LeftRequest = {
  readonly request: Payload<'permission.requested'>
  /** It was answered before it was asked again. */
  decision?: PermissionDecision
}

type PendingQuestion = {
  readonly asked: Omit<ShownQuestion, 'version'>
  decide(answer: string | undefined): void
}

/** How much of the model context has been read from the log. */
type KnownContext = { readonly from: number; upTo: number; readonly folder: ContextFolder }

/** Keeps the session up to date with its log while another process is at work. */
export interface LogWatcher {
  /** Follows the log for as long as it is watched here. */
  start(): void
  stop(): void
  /** Reads and publishes what others wrote. The only reader that adds to what is known: calls never overlap. */
  refresh(): Promise<void>
}

export const stateOf = (session: LiveSession): SessionState => session.folded.folder.state()

/** The mode of what runs, or of what is said next. */
export const modeOf = (session: LiveSession): SessionState['mode'] =>
  session.work.running?.mode ?? stateOf(session).mode

export const isRunning = ({ work }: LiveSession): boolean => work.running !== undefined

export function requireIdle(session: LiveSession, what: string): void {
  if (!isRunning(session)) return
  throw new EngineError(
    'busy',
    `Session ${session.id} is answering. Cannot ${what} now; nothing was changed. Cancel the turn or wait for its end.`,
  )
}

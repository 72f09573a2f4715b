/**
 * One session, wherever it runs: in this process, in another process of this machine, or on another machine. Every
 * surface speaks with this and nothing below it. What cannot be done now is refused with an `EngineError`; two of its
 * codes are about distance: `unreachable` (nobody there could be asked; nothing was changed) and `waits` (it was
 * accepted and is done when the machine of the session is back).
 */
import type { CustomAgent } from '../guidance/custom-agents.ts'
import type { Guidance } from '../guidance/guidance.ts'
import type { GuidanceSwitch } from './live/guidance.ts'
import type { SessionMetrics } from './live/metrics.ts'
import type { EventId, SessionId } from '../format/ids.ts'
import type { QueueChange } from '../format/inbox.ts'
import type { WorkspaceFile } from '../format/workspace-file.ts'
import type { SessionUsage } from '../state/spent.ts'
import type { SessionState } from '../state/session-state.ts'
import type { TranscriptEntry } from '../state/transcript.ts'
import type { RewindPoint } from '../state/turns.ts'
import type { Agent, AgentOptions, OptionChoice, PermissionDecision, UserCall } from './agent.ts'
import type { PermissionStanding } from './permission/standing.ts'
import type { Checkpoint, WorkspaceEntry } from './home/artifacts.ts'
import type { ClientMetadataChange, ClientMetadataRead } from './home/client-metadata.ts'
import type { SessionMetadata } from './home/metadata.ts'
import type { Project } from './home/project.ts'
import type { PathStat } from './home/workspace-paths.ts'
import type { CloseOptions } from './live/close.ts'
import type { EventPage, EventQuery } from './live/events.ts'
import type { FeedItem } from './live/feed.ts'
import type { FollowOptions } from './live/follow.ts'
import type { HandedOver } from './live/hand-over.ts'
import type { Note } from './live/note.ts'
import type { Holder } from './home/in-use.ts'
import type { OpenOptions, Opened } from './live/open.ts'
import type { ModelChoice } from './live/session-settings.ts'
import type { WriterOptions } from './live/writer.ts'
import type { SessionParts } from './session-parts.ts'
import type { ChangedFile, Changes, ChangeScope, FilePair } from './time/file-changes.ts'
import type { CompactOptions, Compacted } from './time/compact.ts'
import type { ContextItem } from '../state/context-items.ts'
import type { ContextAt, ContextMoment } from './time/context-at.ts'
import type { ContextItemWords } from './time/context-item.ts'
import type { ContextEdit } from './time/edit-context.ts'
import type { WindowParts } from './time/context-parts.ts'
import type { ContextSize } from './time/context-size.ts'
import type { ForkOptions, Forked } from './time/fork.ts'
import type { RestoredFile, RestoreFile } from './time/restore-file.ts'
import type { RedoResult, RewindOptions, RewindPreview, RewindResult } from './time/rewind.ts'
import type { RewoundBranch } from './time/rewound-branches.ts'
import type { Pending } from './neighbours/pending.ts'
import type { Activity } from './turn/activity.ts'
import type { CancelOptions } from './turn/cancel.ts'
import type { QueueView } from './turn/queue.ts'
import type { SessionCanvases } from './turn/canvases.ts'
import type { SessionSchedules } from './turn/schedules.ts'
import type { SessionTasks } from './turn/subagent-tasks.ts'
import type { RanTool, RunToolOptions } from './turn/run-tool.ts'
import type { Message, Mode } from './turn/message.ts'
import type { SendOptions, Sent } from './turn/send.ts'

export interface Session extends Conduct, Settings, History, Time, Workspace {
  readonly id: SessionId
  /** The machine that it is on, where that is another one. */
  readonly machine?: string
  /** Opens it now, in place of with the first operation that needs it. */
  resume(options?: OpenOptions): Promise<Opened>
  /** Writes a session that has said nothing yet. */
  save(): Promise<void>
  /** Ends its life in this process; the log stays. */
  close(options?: CloseOptions): Promise<void>
  /** Lets another process write, unless something goes on here. */
  releaseLease(): Promise<void>
  /** Another process that has the session open for writing. */
  holder(): Promise<Holder | undefined>
  /** What goes on in it now, as far as this process knows; undefined while it is not open here. */
  readonly now: Activity | undefined
  /** The same session with other parts of its own. */
  with(parts: SessionParts): Session
}

/** What runs in it, and what people do about that. */
interface Conduct {
  /** Returns when the message is durable, waits in the queue, or has joined the running turn. */
  send(message: Message, options?: SendOptions): Promise<Sent>
  /** Ends the running turn. False when nothing was running. */
  cancel(options?: CancelOptions): Promise<boolean>
  /** What waits for a person. */
  pending(): Promise<Pending>
  /** Goes on with a turn that a process left waiting for an answer when it ended. False when there is none. */
  continueWork(): Promise<boolean>
  /** Returns when the answer is in the log. The first answer wins. */
  answer(requestId: string, decision: Answer): Promise<void>
  /** Rules, mode, and what was allowed from then on in this process. */
  permissions(): Promise<PermissionStanding>
  /** Takes back what was allowed. How many grants that were. */
  revoke(number: number | 'all'): Promise<number>
  /** Undefined declines to answer. */
  answerQuestion(requestId: string, answer: string | undefined): Promise<void>
  queue(): Promise<QueueView>
  /** How many messages it changed. */
  changeQueue(change: QueueChange): Promise<number>
  /** Runs a tool for a person, without the agent. */
  runTool(call: UserCall, options?: RunToolOptions): Promise<RanTool>
  /** Has the agent come up without a message. False when it has no protocol of its own to be spoken with. */
  startAgent(signal: AbortSignal): Promise<boolean>
  /** Its sub-agents. */
  readonly tasks: SessionTasks
  /** Prompts that are sent later. */
  readonly schedules: SessionSchedules
  /** Panels that a client shows beside it. */
  readonly canvases: SessionCanvases
}

export type Answer = Omit<PermissionDecision, 'by'> & Partial<Pick<PermissionDecision, 'by'>>

/** Who answers, how, where, and under what name. */
interface Settings {
  /** What can be chosen in the agent itself; undefined until it has come up, and for one that has nothing of its own. */
  agentOptions(): Promise<AgentOptions | undefined>
  /** Chooses it, and again whenever the agent comes up. The agent comes up for that. */
  setAgentOption(choice: OptionChoice, signal: AbortSignal): Promise<void>
  /** Another agent answers from the next message on, and is closed with the session. */
  setAgent(agent: Agent): Promise<void>
  setModel(choice: ModelChoice): Promise<void>
  setMode(mode: Mode): Promise<void>
  /** Instruction files, custom agents and skills, as they count now. */
  guidance(): Promise<Guidance>
  /** A custom agent answers from the next message on; undefined: the usual one. */
  selectAgent(name: string | undefined): Promise<CustomAgent | undefined>
  /** Leaves one of them out, or gives it again, from the next message on. */
  switchGuidance(change: GuidanceSwitch): Promise<void>
  /** Records whether people may act in it from afar. */
  setSteerable(isSteerable: boolean): Promise<void>
  moveTo(cwd: string): Promise<Project>
  rename(name: string): Promise<string>
  /** False when a person has named it. */
  nameByDefault(name: string): Promise<boolean>
}

interface History {
  state(): Promise<SessionState>
  metadata(): Promise<SessionMetadata>
  /** What workspace.yaml says. */
  workspaceFile(): Promise<WorkspaceFile | undefined>
  /** History after a cursor, then what happens, events and notices, without a gap and without a repeat. */
  follow(options?: FollowOptions): AsyncGenerator<FeedItem, void, undefined>
  events(query?: EventQuery): Promise<EventPage>
  /** All of them as JSON: parts that together are the items of a list. */
  eventItems(): Promise<readonly Uint8Array[]>
  /** The log's bytes, as they are. */
  raw(): AsyncGenerator<Uint8Array, void, undefined>
  transcript(): AsyncGenerator<TranscriptEntry, void, undefined>
  contextSize(): Promise<ContextSize>
  /** `most`: how many of the largest pieces are named. */
  contextParts(options?: { readonly most?: number }): Promise<WindowParts>
  /** What the model was given in a turn, or would be given now, item by item. */
  contextAt(moment?: ContextMoment): Promise<ContextAt>
  /** One of the items with its words, by the id of its event or the beginning of that. */
  contextItem(item: string): Promise<ContextItemWords>
  /** Asks the agent something beside the conversation; it is kept nowhere. */
  askAside(question: string): Promise<string>
  /** A remark of a program, kept in the log. */
  note(remark: Note): Promise<EventId>
  /** That it came over from elsewhere, with what the model should know of it. */
  recordHandoff(from: HandedOver): Promise<EventId>
}

interface Time {
  /** Lines of code, time and tokens until now. */
  metrics(): Promise<SessionMetrics>
  /** Tokens, requests and cost until now, with what turns used that were taken back. */
  usage(): Promise<SessionUsage>
  rewindPoints(): Promise<readonly RewindPoint[]>
  previewRewind(eventId: EventId): Promise<RewindPreview>
  /** Which files changed, as far as it was recorded. */
  changes(scope: ChangeScope): Promise<Changes>
  /** One of them, before and after. */
  changedFile(scope: ChangeScope, file: Pick<ChangedFile, 'path' | 'of'>): Promise<FilePair>
  /** One file of the project as it was before a turn; the conversation goes on. */
  restoreFile(wish: RestoreFile): Promise<RestoredFile>
  rewind(eventId: EventId, options?: RewindOptions): Promise<RewindResult>
  undo(options?: RewindOptions & { turns?: number }): Promise<RewindResult>
  redo(options?: WriterOptions): Promise<RedoResult>
  fork(options?: ForkOptions): Promise<Forked>
  /** What rewinds took away and a fork can bring back, newest first. */
  rewoundBranches(): Promise<readonly RewoundBranch[]>
  compact(options?: CompactOptions): Promise<Compacted>
  /** Leaves an item out of what the model is given from here on, or gives it again. Recorded; an undo takes it back. */
  editContext(edit: ContextEdit): Promise<ContextItem>
  /** The model begins anew with one message. How many messages it is not given any more. */
  clearContext(prompt: string): Promise<number>
  summariseForHandoff(): Promise<string>
}

/** The session's own folder. */
interface Workspace {
  readPlan(): Promise<string | undefined>
  writePlan(text: string): Promise<void>
  deletePlan(): Promise<void>
  files(): Promise<readonly WorkspaceEntry[]>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, bytes: Uint8Array): Promise<void>
  statPath(path: string): Promise<PathStat>
  createFolder(path: string): Promise<void>
  removePath(path: string, options: { recursive: boolean }): Promise<void>
  renamePath(from: string, to: string): Promise<void>
  checkpoints(): Promise<readonly Checkpoint[]>
  readCheckpoint(number: number): Promise<string>
  /** Content that was too bulky for the log, by its hash. */
  readBlob(sha256: string, options: { mostBytes: number }): Promise<Uint8Array>
  clientMetadata(): Promise<ClientMetadataRead>
  updateClientMetadata(change: ClientMetadataChange): Promise<Readonly<Record<string, string>>>
}

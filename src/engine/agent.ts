/** Who answers. The engine knows agents through this file alone, and an agent knows the engine through it. */
import type { Draft, Payload } from '../format/event.ts'
import type { EventId, SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import type { LeftCall } from '../state/left-work.ts'
import type { ModelContext } from '../state/model-context.ts'
import type { SessionState } from '../state/session-state.ts'
import type { Subjects } from './permission/places.ts'

export interface Agent {
  readonly name: string
  /**
   * Answers one user message. Each draft that it yields is durable before the next one is asked for.
   * When the signal fires it stops as soon as it can; the engine settles whatever it left open. An `abort` that it
   * yields ends the turn as one that a person stopped.
   */
  run(turn: Turn, signal: AbortSignal): AsyncIterable<AgentItem>
  /** Summarises a context for a compaction, in the six sections. Without it the summary is composed from the log. */
  summarise?(request: SummaryRequest, signal: AbortSignal): Promise<string>
  /** How many tokens a context may have. Without it nothing is compacted by itself. */
  contextWindow?(model: string | undefined): number | undefined
  /** The tools that its model is told of, as far as they are known now. */
  toolDefinitions?(): readonly ToolDefinition[]
  /** It can say that its task is done (`session.task_complete`), so autopilot may ask it to go on until it is. */
  readonly completesTasks?: boolean
  /** It can go on with calls that a process left before they had begun, as `Turn.left` tells them. */
  readonly continues?: boolean
  /** Comes up between turns, so that the programs on the switchboard can speak with it in its own protocol. */
  reach?(between: BetweenTurns & NoticeSink, signal: AbortSignal): Promise<void>
  /** Ends whatever it runs. Called once, when the engine stops. */
  close?(): Promise<void>
}

/** How a model is told of a tool. */
export type ToolDefinition = {
  readonly name: string
  /** As it is sent. */
  readonly text: string
  /** The MCP server that has it. */
  readonly server?: string
}

/** For what an agent says between turns. */
export type NoticeSink = { tell(notice: Notice): void }

export type AgentItem = { readonly draft: Draft } | { readonly notice: Notice }

export type SummaryRequest = {
  readonly context: ModelContext
  readonly instructions?: string
}

/** What an agent is given for one turn. */
export type Turn = {
  readonly sessionId: SessionId
  readonly turnId: string
  readonly message: Payload<'user.message'>
  readonly messageEventId: EventId
  /** Everything said so far, this message included, in a form that a provider accepts. */
  readonly context: ModelContext
  readonly state: SessionState
  readonly cwd: string
  /** The session's own folder, as the file system names it. */
  readonly workspacePath: string
  /** Asks the policy, and a person where it says so. The request and the decision become events. */
  permit(request: PermissionRequest): Promise<PermissionDecision>
  /** False for a place, links resolved, that a rule denies to be read; asks nobody and records nothing. */
  readonly mayRead?: ((place: string) => Promise<boolean>) | undefined
  /** Asks a person. Undefined when nobody answers. */
  ask(question: Question): Promise<string | undefined>
  /** Messages that came while the turn runs and are meant for it; each is in the log already and given once. */
  steering(): readonly Payload<'user.message'>[]
  /** Content that the log keeps aside. Undefined when it is missing, damaged or larger than that. */
  readBlob(sha256: string, limit: { readonly mostBytes: number }): Promise<Uint8Array | undefined>
  /** Runs the user's own hooks of this kind. What they did is recorded. */
  hook(call: ToolHook): Promise<HookVerdict>
  /** Calls of the last answer that an earlier process left before they had begun: they are carried out first. */
  readonly left?: readonly LeftCall[]
  /** Present when programs that speak the agent's own protocol follow sessions. */
  readonly switchboard?: Switchboard | undefined
}

/** What is known of a session while nothing is asked in it. */
export type BetweenTurns = Pick<
  Turn,
  'sessionId' | 'context' | 'state' | 'cwd' | 'workspacePath' | 'switchboard'
>

/** What a tool needs of the turn, or of the client, that has it run. */
export type ToolTurn = Pick<
  Turn,
  'sessionId' | 'cwd' | 'workspacePath' | 'permit' | 'mayRead' | 'ask' | 'hook' | 'switchboard'
> & {
  /** Undefined when a person runs it, outside of any turn. */
  readonly turnId: string | undefined
  readonly message: Pick<Turn['message'], 'interactionId'>
}

/** Runs one tool that a person asked for, from its start to its end, as an agent would. */
export type UserTools = (
  turn: ToolTurn,
  call: UserCall & { readonly toolCallId: string },
  signal: AbortSignal,
) => AsyncIterable<AgentItem>

export type UserCall = { readonly toolName: string; readonly arguments: unknown }

export type Question = {
  readonly question: string
  readonly choices?: readonly string[]
  readonly toolCallId?: string
}

export type ToolHook = {
  readonly toolName: string
  /** A name under which a hook may still mean it. */
  readonly formerName?: string
  readonly toolCallId: string
  readonly arguments: unknown
} & (
  | { readonly type: 'preToolUse' }
  | { readonly type: 'postToolUse'; readonly success: boolean; readonly result: string }
)

export type HookVerdict = {
  readonly denied?: string
  /** What hooks want the agent to know. */
  readonly notes: readonly string[]
  /** What stands in place of what was asked about, once a hook has changed it. */
  readonly instead?: HookChange
  /** Messages that wait behind the first one of a new session. */
  readonly prompts?: readonly string[]
}

export type HookChange = {
  /** Before a prompt is recorded. */
  readonly prompt?: string
  /** Before a tool is used. */
  readonly arguments?: unknown
  /** After a tool has succeeded. */
  readonly result?: string
}

export type PermissionRequest = Payload<'permission.requested'>['permissionRequest'] & {
  readonly toolCallId: string
}

export type PermissionDecision = {
  readonly kind: 'allow' | 'allow-for-session' | 'deny'
  /** Who decided: a person, a flag or rule of the host, or nobody who could be asked. */
  readonly by: 'person' | 'policy' | 'nobody'
  readonly feedback?: string
  /** By what, where it was no person: a rule as it is written, a mode, or what a person allowed before. */
  readonly because?: DecisionReason
}

export type DecisionReason =
  { readonly rule: string } | { readonly mode: string } | { readonly grant: string }

export type PermissionSituation = {
  readonly mode: string
  readonly cwd: string
  readonly workspacePath: string
  /** What the request comes to; found out from the request where it is left out. */
  readonly subjects?: Subjects
  /** Nothing but a person may allow it: not a rule, not a mode. */
  readonly mustAsk?: boolean
}

/** Decides at once, or leaves it to a person. */
export type PermissionPolicy = (
  request: PermissionRequest,
  session: PermissionSituation,
) => PermissionDecision | 'ask' | Promise<PermissionDecision | 'ask'>

type Fields = Readonly<Record<string, unknown>>

/** Joins an agent with the programs in which people follow its sessions, beside what becomes events. */
export interface Switchboard {
  editor(id: SessionId): Editor
  /** What such a program said of the session when it opened it: tool servers, directories, what nobody here knows. */
  sessionFields(id: SessionId): Fields
  /** A message as the program put it. Undefined when it came another way. */
  promptFields(messageId: string | undefined): Fields | undefined
  /** What the agent itself answered to it. */
  answered(messageId: string | undefined, result: Fields): void
  /** The agent of a session can be asked from now on, until this is disposed. */
  connect(id: SessionId, line: AgentLine): Disposable
}

/** The program in which a person follows a session. Parameters are given without the id of the session. */
export interface Editor {
  /** Nothing when no program is there. */
  offered(): Offered
  ask(method: string, params: Fields, signal?: AbortSignal): Promise<unknown>
  tell(method: string, params: Fields): void
}

export type Offered = {
  readonly readsFiles: boolean
  readonly writesFiles: boolean
  readonly terminals: boolean
}

export interface AgentLine {
  /** The editor at its other end has gone. */
  readonly isClosed: boolean
  ask(method: string, params: Fields): Promise<unknown>
  tell(method: string, params: Fields): void
}

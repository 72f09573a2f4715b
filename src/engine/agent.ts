/** Who answers. The engine knows agents through this file alone, and an agent knows the engine through it. */
import type { Enclosure } from '../lib/sandbox/system-sandbox.ts'
import type { Guidance } from '../guidance/guidance.ts'
import type { Draft, DraftOf, Payload } from '../format/event.ts'
import type { EventId, SessionId } from '../format/ids.ts'
import type { Notice, NoticePayload } from '../format/notice.ts'
import type { LeftCall } from '../state/pending-work.ts'
import type { ModelContext } from '../state/model-context.ts'
import type { SessionState } from '../state/session-state.ts'
import type { Subjects } from './permission/rule-words.ts'

export interface Agent {
  /** Empty while it is not known who answers. */
  readonly name: string
  /**
   * Answers one user message. Each draft that it yields is durable before the next one is asked for.
   * When the signal fires it stops as soon as it can; the engine settles whatever it left open. An `abort` that it
   * yields ends the turn as one that a person stopped.
   */
  run(turn: Turn, signal: AbortSignal): AsyncIterable<AgentItem>
  /** Summarises a context for a compaction, in the six sections. Without it the summary is composed from the log. */
  summarise?(request: SummaryRequest, signal: AbortSignal): Promise<string>
  /** Answers a question beside the conversation; it is kept nowhere. */
  askAside?(request: AsideRequest, signal: AbortSignal): Promise<string>
  /** Says in a few words what a conversation is about: what was used for it, with the title where one came. */
  title?(request: TitleRequest, signal: AbortSignal): Promise<DraftOf<'session.usage_record'>>
  /** Has its model answer messages that are no part of a session; they are kept nowhere. */
  sample?(request: SampleRequest, signal: AbortSignal): Promise<Sampled>
  /** Stops a command that one of its turns runs or is about to, while the turn goes on. False when it cannot. */
  stopCommand?(workspacePath: string, toolCallId: string): boolean
  /** Runs one of its tools, without its model, as its model would have it run. */
  readonly callTool?: UserTools
  /** How many tokens a context may have. Without it nothing is compacted by itself. */
  contextWindow?(model: string | undefined): number | undefined
  /** The tools that its model is told of, as far as they are known now. */
  toolDefinitions?(): readonly ToolDefinition[]
  /** Instruction files, custom agents and skills, as they count for a session now. */
  guidance?(of: Pick<Turn, 'cwd' | 'state'>): Promise<Guidance>
  /** It is told what stands in files that a message names. Others are given their paths. */
  readonly takesFiles?: boolean
  /** It can say that its task is done (`session.task_complete`), so autopilot may ask it to go on until it is. */
  readonly completesTasks?: boolean
  /** It remembers the conversation itself: the context is not what its model is given. */
  readonly keepsContext?: boolean
  /** It can go on with calls that a process left before they had begun, as `Turn.left` tells them. */
  readonly continues?: boolean
  /** Sub-agents that are at work now, where it can have any. */
  readonly subagents?: Subagents
  /** Comes up between turns, so that the programs on the switchboard can speak with it in its own protocol. */
  start?(between: BetweenTurns & NoticeSink, signal: AbortSignal): Promise<void>
  /** What can be chosen in it for a session, as it last told it; undefined until it has come up there. */
  options?(id: SessionId): AgentOptions | undefined
  /** Chooses one of its options, from now on and when it comes up again. It comes up for that. */
  setOption?(
    between: BetweenTurns & NoticeSink,
    choice: OptionChoice,
    signal: AbortSignal,
  ): Promise<void>
  /** What it says of itself before any session. It comes up for that. */
  introduce?(cwd: string): Promise<Introduction>
  /** Ends whatever it runs. Called once, when the engine stops. */
  close?(): Promise<void>
}

export type AgentOptions = {
  readonly options: readonly AgentOption[]
  /** In the words of its own protocol: `modes`, `models`, `configOptions`. */
  readonly acp: Fields
}

/** Something that a person may choose in an agent. */
export type AgentOption = {
  readonly id: string
  readonly name: string
  readonly description?: string
  /** `mode`, `model`, `thought_level`, or a word of the agent's. */
  readonly category?: string
  readonly value: string | boolean
  /** What it may be. Absent for a switch. */
  readonly values?: readonly {
    readonly value: string
    readonly name: string
    readonly description?: string
  }[]
}

export type OptionChoice = { readonly id: string; readonly value: string | boolean }

export type Introduction = {
  readonly capabilities: Fields
  /** Ways to log in that it offers. */
  readonly authMethods: readonly Fields[]
  readonly line: AgentLine
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

export type AsideRequest = { readonly context: ModelContext; readonly question: string }

export type TitleRequest = {
  readonly context: ModelContext
  /** The one that was chosen for the session. */
  readonly model: string | undefined
}

export type SampleRequest = {
  readonly system?: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  readonly maxTokens?: number
}

export type Sampled = {
  readonly model: string
  readonly text: string
  /** It said all that it wanted to say. */
  readonly isWhole: boolean
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
  permit(request: PermissionRequest, asked?: AskedPermission): Promise<PermissionDecision>
  /** False for a place, links resolved, that a rule denies to be read; asks nobody and records nothing. */
  readonly mayRead?: ((place: string) => Promise<boolean>) | undefined
  /** Permission is asked for even to read in the project. */
  readonly asksToRead?: (() => boolean) | undefined
  /** In which commands run. Undefined where they run without one. */
  readonly sandbox?: Sandbox | undefined
  /** Asks a person. Undefined when nobody answers. */
  ask(question: Question): Promise<string | undefined>
  /** Messages that came while the turn runs and are meant for it; each is in the log already and given once. */
  steering(): readonly Payload<'user.message'>[]
  /** Resolves when a message came, or the signal fires. While it waits, what was sent for later joins the turn as well. */
  readonly awaitMessage?: (signal: AbortSignal) => Promise<void>
  /** What a sub-agent of the session was told and has said, in a form that a provider accepts. */
  readonly contextOf?: (agentId: string) => Promise<ModelContext>
  /** In place of a message: a sub-agent that a person sets to work, or has something to say to. */
  readonly task?: TaskRequest
  /** Content that the log keeps aside. Undefined when it is missing, damaged or larger than that. */
  readBlob(sha256: string, limit: { readonly mostBytes: number }): Promise<Uint8Array | undefined>
  /** Runs the user's own hooks of this kind. What they did is recorded. */
  hook(call: ToolHook): Promise<HookVerdict>
  /** Calls of the last answer that an earlier process left before they had begun: they are carried out first. */
  readonly left?: readonly LeftCall[]
  /** Present when programs that speak the agent's own protocol follow sessions. */
  readonly switchboard?: Switchboard | undefined
  /** For what it says once the turn is over. */
  readonly later?: NoticeSink
}

/** What a sub-agent is set to work for. */
export type TaskStart = {
  /** By which its events are known. */
  readonly id: string
  /** A custom agent, or one of those that the agent has itself. */
  readonly agentType: string
  readonly prompt: string
  readonly name?: string
  readonly description?: string
  readonly model?: string
  readonly reasoningEffort?: string
}

export type TaskRequest = TaskStart | { readonly id: string; readonly message: string }

/** Sub-agents that are at work in the turn that runs. Each answers false, or nothing, when there is no such one. */
export interface Subagents {
  /** Throws what is wrong with the request. False when no turn runs in the session. */
  start(session: SessionId, request: TaskStart): Promise<boolean>
  /** Refuses, with the reason, what could not be started. */
  check(of: Pick<Turn, 'cwd' | 'state'>, request: TaskStart): Promise<void>
  message(session: SessionId, id: string, text: string): boolean
  cancel(session: SessionId, id: string): boolean
  /** Nobody waits for it any more; its result is told when it is there. */
  promote(session: SessionId, id: string): boolean
  /** The latest things that it did, the newest last. */
  progress(session: SessionId, id: string): readonly TaskStep[]
}

export type TaskStep = { readonly message: string; readonly timestamp: string }

export interface Sandbox {
  /**
   * For one command, as its permission was asked for. Undefined where it runs without a sandbox: there is none here, or a
   * rule or a person lets its programs out. `env`: what a kept shell brings along. Throws where a sandbox has to be.
   */
  enclose(command: {
    readonly request: PermissionRequest
    readonly env?: Readonly<Record<string, string>> | undefined
  }): Promise<Enclosure | undefined>
}

/** What is known of a session while nothing is asked in it. */
export type BetweenTurns = Pick<
  Turn,
  'sessionId' | 'context' | 'state' | 'cwd' | 'workspacePath' | 'switchboard'
>

/** What a tool needs of the turn, or of the client, that has it run. */
export type ToolTurn = Pick<
  Turn,
  | 'sessionId'
  | 'cwd'
  | 'workspacePath'
  | 'permit'
  | 'mayRead'
  | 'asksToRead'
  | 'sandbox'
  | 'ask'
  | 'hook'
  | 'switchboard'
> & {
  /** Undefined when a person runs it, outside of any turn. */
  readonly turnId: string | undefined
  readonly message: Pick<Turn['message'], 'interactionId'>
  /** That asked for the tool; undefined when a person did. */
  readonly model?: string
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
  /** It is about a plan that is ready; programs may show it in their own way. */
  readonly plan?: PlanShown
}

type PlanShown = NonNullable<NoticePayload<'user_input.requested'>['plan']>

export type ToolHook = {
  readonly toolName: string
  /** A name under which a hook may still mean it. */
  readonly formerName?: string
  readonly toolCallId: string
  readonly arguments: unknown
} & (
  | { readonly type: 'preToolUse' }
  | {
      readonly type: 'preMcpToolCall'
      readonly mcpServerName: string
      readonly mcpToolName: string
    }
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
  /** What the agent is given of it, with all that goes along. */
  readonly transformedPrompt?: string
  /** Before a tool is used. */
  readonly arguments?: unknown
  /** Before a tool server is asked: what goes with the request beside its arguments; null for nothing. */
  readonly requestMeta?: RequestMeta | null
  /** After a tool has succeeded. */
  readonly result?: string
}

export type RequestMeta = Readonly<Record<string, unknown>>

export type PermissionRequest = Payload<'permission.requested'>['permissionRequest'] & {
  readonly toolCallId: string
}

/** How an agent that has words of its own, or sub-agents, asks. */
export type AskedPermission = {
  /** The sub-agent that asks. What it asked is withdrawn when its signal fires. */
  readonly by?: { readonly agentId: string; readonly signal: AbortSignal }
  /** The answers that it offers. People who follow in a program are shown these beside ours. */
  readonly options?: readonly PermissionAnswer[]
  /** It has a plan and wants to leave plan mode: a person decides, in that mode too. */
  readonly endsPlan?: boolean
}

export type PermissionAnswer = { readonly id: string; readonly name: string; readonly kind: string }

export type PermissionDecision = {
  readonly kind: 'allow' | 'allow-for-session' | 'deny'
  /** Who decided: a person, a flag or rule of the host, or nobody who could be asked. */
  readonly by: 'person' | 'policy' | 'nobody'
  readonly feedback?: string
  /** The one of the agent's own answers that was chosen. */
  readonly option?: string
  /** By what, where it was no person: a rule as it is written, a mode, or what a person allowed before. */
  readonly because?: DecisionReason
}

type DecisionReason =
  { readonly rule: string } | { readonly mode: string } | { readonly grant: string }

export type PermissionSituation = {
  readonly mode: string
  readonly cwd: string
  readonly workspacePath: string
  /** What the request comes to; found out from the request where it is left out. */
  readonly subjects?: Subjects
  /** Nothing but a person may allow it: not a rule, not a mode. */
  readonly mustAsk?: boolean
  /** The rule that denies, and may mean this. */
  readonly doubt?: string
  /** A command asks to run outside of the sandbox: a rule may allow that, no mode. */
  readonly leavesSandbox?: boolean
  /** The agent asks to leave plan mode. */
  readonly endsPlan?: boolean
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

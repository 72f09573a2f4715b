/** Who answers. The engine knows agents through this file alone, and an agent knows the engine through it. */
import type { Draft, Payload } from '../format/event.ts'
import type { EventId, SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import type { ModelContext } from '../state/model-context.ts'
import type { SessionState } from '../state/session-state.ts'

export interface Agent {
  readonly name: string
  /**
   * Answers one user message. Each draft that it yields is durable before the next one is asked for.
   * When the signal fires it stops as soon as it can; the engine settles whatever it left open.
   */
  run(turn: Turn, signal: AbortSignal): AsyncIterable<AgentItem>
  /** Summarises a context for a compaction, in the six sections. Without it the summary is composed from the log. */
  summarise?(request: SummaryRequest, signal: AbortSignal): Promise<string>
  /** How many tokens a context may have. Without it nothing is compacted by itself. */
  contextWindow?(model: string | undefined): number | undefined
  /** It can say that its task is done (`session.task_complete`), so autopilot may ask it to go on until it is. */
  readonly completesTasks?: boolean
  /** Ends whatever it runs. Called once, when the engine stops. */
  close?(): Promise<void>
}

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
  /** Asks whoever may decide. The request and the decision become events. */
  permit(request: PermissionRequest): Promise<PermissionDecision>
  /** Asks a person. Undefined when nobody answers. */
  ask(question: Question): Promise<string | undefined>
  /** Messages that came while the turn runs and are meant for it; each is in the log already and given once. */
  steering(): readonly Payload<'user.message'>[]
  /** Runs the user's own hooks of this kind. What they did is recorded. */
  hook(call: ToolHook): Promise<HookVerdict>
}

export type Question = {
  readonly question: string
  readonly choices?: readonly string[]
  readonly toolCallId?: string
}

export type ToolHook =
  | {
      readonly type: 'preToolUse'
      readonly toolName: string
      readonly toolCallId: string
      readonly arguments: unknown
    }
  | {
      readonly type: 'postToolUse'
      readonly toolName: string
      readonly toolCallId: string
      readonly arguments: unknown
      readonly success: boolean
      readonly result: string
    }

export type HookVerdict = {
  readonly denied?: string
  /** What hooks want the agent to know. */
  readonly notes: readonly string[]
}

export type PermissionRequest = Payload<'permission.requested'>['permissionRequest'] & {
  readonly toolCallId: string
}

export type PermissionDecision = {
  readonly kind: 'allow' | 'allow-for-session' | 'deny'
  /** Who decided: a person, a flag or rule of the host, or nobody who could be asked. */
  readonly by: 'person' | 'policy' | 'nobody'
  readonly feedback?: string
}

/** Decides at once, or leaves it to a person. */
export type PermissionPolicy = (
  request: PermissionRequest,
  session: { readonly mode: string; readonly cwd: string; readonly workspacePath: string },
) => PermissionDecision | 'ask'

/** Hooks: what is told of a session as it happens, and may deny it, change it or add a note. */
import type { HookChange } from './agent.ts'

export type HookType =
  | 'sessionStart'
  | 'userPromptSubmitted'
  | 'userPromptTransformed'
  | 'preToolUse'
  | 'preMcpToolCall'
  | 'postToolUse'
  | 'preCompact'
  | 'agentStop'
  | 'sessionEnd'

export type Hook = {
  readonly type: HookType
  /** For tools: only these. Without it, all. */
  readonly tools?: readonly string[]
  /** Part of the program and not of the configuration: its runs are not recorded. */
  readonly isOurs?: true
  run(input: HookInput, signal: AbortSignal): Promise<HookOutput>
}

export type HookInput = Readonly<Record<string, unknown>> & {
  readonly hookType: HookType
  readonly sessionId: string
  readonly cwd: string
  readonly timestamp: string
}

export type HookOutput = {
  readonly deny?: boolean
  readonly reason?: string
  /** Added to what the agent is told. */
  readonly note?: string
  readonly instead?: HookChange
  /** At the start of a new session: messages that are sent after its first one. */
  readonly prompts?: readonly string[]
}

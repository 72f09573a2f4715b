/** What a model agent is made of. Comes from the user's own configuration, never from a session or a repository. */
import type { Turn } from '../../engine/agent.ts'
import type { Tool } from '../tools/tool.ts'
import type { Azure } from './azure.ts'
import type { PromptChange } from './prompt-sections.ts'

export type Provider = 'openai-compatible' | 'openai' | 'anthropic'

export type ModelConfig = {
  readonly provider: Provider
  /** Needed for `openai-compatible`; elsewhere it stands in for the provider's own address. */
  readonly baseUrl?: string
  /** Asked before every call, so that a key may change. */
  readonly apiKey?: () => string | undefined
  /** Used unless the session has chosen another one. */
  readonly model: string
  /** What the provider calls a model, where that is another name. */
  readonly wireModel?: (model: string) => string
  /** The model is at Azure: at other addresses, with another way to show a key. */
  readonly azure?: Azure
  readonly reasoningEffort?: string
  /** In tokens. */
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Those of one turn, over the ones of every call. */
  readonly turnHeaders?: (turn: Turn) => Readonly<Record<string, string>> | undefined
  readonly mcpServers?: Readonly<Record<string, McpServer>>
  /** Added to the system prompt. */
  readonly instructions?: string
  readonly promptChange?: PromptChange
  /** The project's own instruction files are left out of the prompt. */
  readonly skipsInstructionFiles?: boolean
  readonly extraTools?: readonly Tool[]
  /** Which of our own tools, and of those of servers, the model is given. Default: all. */
  readonly offers?: (name: string, source: 'builtin' | 'mcp', formerName?: string) => boolean
  /** How often the model may be called in one turn. */
  readonly maxSteps?: number
  /** How often one call is tried again. */
  readonly maxRetries?: number
  /** A call that brings nothing for this long is given up and tried again. */
  readonly idleTimeoutMs?: number
  /** What a million tokens cost. Without it no cost is recorded. */
  readonly price?: Price
  /** The W3C trace context of what runs now, for tool servers. */
  readonly traceparent?: () => string | undefined
}

export type Price = {
  readonly input: number
  readonly output: number
  /** The price of input when left out. */
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

export type McpServer = (
  | {
      readonly command: string
      readonly args?: readonly string[]
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
) & {
  /** Only these tools of it. */
  readonly tools?: readonly string[]
  readonly timeoutMs?: number
}

/** What is used instead of time, chance and network in tests. */
export type ModelParts = {
  readonly newId: () => string
  readonly now: () => number
  /** Rejects when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

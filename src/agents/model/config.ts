/** What a model agent is made of. Comes from the user's own configuration, never from a session or a repository. */
import type { GuidanceConfig } from '../../guidance/guidance.ts'
import type { AgentItem, Turn } from '../../engine/agent.ts'
import type { Tool } from '../tools/tool.ts'
import type { Notice } from '../../format/notice.ts'
import type { Azure } from './azure.ts'
import type { PromptChange } from './prompt-sections.ts'

export type Provider = 'openai-compatible' | 'openai' | 'anthropic'

export type ModelConfig = {
  readonly provider: Provider
  /** Needed for `openai-compatible`; elsewhere it stands in for the provider's own address. */
  readonly baseUrl?: string
  /** Asked before every call, so that a key may change. */
  readonly apiKey?: () => string | undefined | Promise<string | undefined>
  /** What a person sets who has to give it, as the variable of the environment that holds it. */
  readonly keyHint?: string
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
  /** By which it is reached, where it is not the network of this process. */
  readonly fetch?: typeof globalThis.fetch
  /** Where there are several providers: all of this for the one that has a model. Throws where none has. */
  readonly at?: (model: string) => ModelConfig
  readonly mcpServers?: Readonly<Record<string, McpServer>>
  /** Added to the system prompt. */
  readonly instructions?: string
  readonly promptChange?: PromptChange
  /** Panels that the model may open with its tools. */
  readonly canvases?: readonly CanvasType[]
  /** Where instruction files, custom agents and skills are, besides the project; and which of them are left out. */
  readonly guidance?: GuidanceConfig
  readonly extraTools?: readonly Tool[]
  /** Which of our own tools, and of those of servers, the model is given. Default: all. */
  readonly offers?: (name: string, source: 'builtin' | 'mcp', formerName?: string) => boolean
  /** Asked when it matters: a person may change them while a session is open. */
  readonly subagents?: () => SubagentSettings
  /** Tools that the usual agent is not given, though custom agents may have them. */
  readonly notForUsual?: (name: string) => boolean
  /** Tool servers that the caller starts and ends, in place of `mcpServers`. */
  readonly servers?: ToolServers
  /** How often the model may be called in one turn. */
  readonly maxSteps?: number
  /** How often one call is tried again. */
  readonly maxRetries?: number
  /** A call that brings nothing for this long is given up and tried again. */
  readonly idleTimeoutMs?: number
  /** What a million tokens of a model cost. Where it is not known no cost is recorded. */
  readonly price?: (model: string) => Price | undefined
  /** Sessions that nobody named get a title after their first turn. By the session's own model where none is named. */
  readonly titles?: { readonly model?: string }
  /** The W3C trace context of what runs now, for tool servers. */
  readonly traceparent?: () => string | undefined
}

export type CanvasType = {
  readonly canvasId: string
  readonly extensionId: string
  readonly displayName: string
  readonly description: string
}

/** Which sub-agents there may be, how many, and with which models. */
export type SubagentSettings = {
  readonly agents?: Readonly<Record<string, SubagentChoice>>
  /** Nobody sets these to work. */
  readonly disabled?: readonly string[]
  /** At work at a time. */
  readonly maxConcurrency?: number
  /** How deep sub-agents may have some of their own; 1: only the agent that people speak with has any. */
  readonly maxDepth?: number
}

type SubagentChoice = {
  readonly model?: string
  readonly reasoningEffort?: string
  /** False: the model does not choose it by itself. */
  readonly autoInvoke?: boolean
}

export type Price = {
  readonly input: number
  readonly output: number
  /** The price of input when left out. */
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** Tools of MCP servers, and the servers themselves. */
export interface ToolServers {
  /** All tools that can be had now, in the order of servers and names; tells how the servers are. */
  tools(signal: AbortSignal): AsyncGenerator<AgentItem, readonly Tool[], undefined>
  /** Turns that wait for servers go on without those that are not there yet. False when none waits. */
  goOn(): boolean
  list(): readonly ServerStatus[]
  /** These and no others from now on; one whose configuration is the same stays connected. */
  configure(servers: Readonly<Record<string, McpServer>>): void
  /** Connects to all that are on. Fails for none of them: the list tells. */
  connectAll(): Promise<void>
  /** Throws when it cannot be reached, or there is none. */
  connection(name: string): Promise<Connection>
  /** With another configuration where one is given; throws when it does not come up. */
  start(name: string, server?: McpServer): Promise<void>
  stop(name: string): Promise<void>
  /** False when there is none of that name. */
  enable(name: string, isOn: boolean): Promise<boolean>
  /** Ends all connections and makes them anew. */
  reload(): Promise<void>
  /** What happens to servers outside of a turn is told here. */
  listen(listener: (notice: Notice) => void): void
  /** Who answers what servers ask. Before the first connection. */
  serve(requests: ServerRequests): void
  /** Signs in with a server that is reached over HTTP, and connects to it then. */
  login(name: string, wish: LoginWish): Promise<{ readonly authorizationUrl?: string }>
  /** Whether it wants a token, without connecting to it. */
  probe(name: string): Promise<Probed>
  close(): Promise<void>
}

export type ServerStatus = {
  readonly name: string
  readonly status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled' | 'stopped'
  readonly error?: string
  readonly failedAtMs?: number
  /** It let a turn wait for nothing a short while ago. */
  readonly isSilent: boolean
  readonly instructions?: string
  readonly server: McpServer
}

/** A tool, as a server tells of it. */
export type Listed = {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: unknown
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}

/** Tools may be for the model alone, or for the pages of their server alone (SEP-1865). */
export function isFor({ _meta }: Listed, whom: 'model' | 'app'): boolean {
  const { visibility } = (_meta?.['ui'] ?? {}) as { visibility?: unknown }
  return !Array.isArray(visibility) || visibility.includes(whom)
}

/** What a server may want of the program that uses it. Without an answer it is refused. */
export interface ServerRequests {
  /** An answer of the model; request and answer in the words of MCP. */
  readonly sample?: (asked: Sampling, signal: AbortSignal) => Promise<Fields>
  /** A token for a server that refused us. */
  readonly authorise?: (refused: Refused) => Promise<string | undefined>
  /** Headers that are good for a while. */
  readonly headers?: (wanted: WantedHeaders) => Promise<FreshHeaders | undefined>
  /** People can be shown pages of servers. */
  readonly showsPages?: boolean
}

type Fields = Readonly<Record<string, unknown>>
export type Sampling = {
  readonly serverName: string
  readonly mcpRequestId: string | number
  readonly request: Fields
}
type At = {
  readonly serverName: string
  readonly serverUrl: string
  /** Who brought the server. */
  readonly by?: symbol | undefined
}
export type Refused = At & { readonly reason: 'initial' | 'reauth' } & Fields
export type WantedHeaders = At & { readonly reason: 'startup' | 'ttl-expired' | 'auth-failed' }
export type FreshHeaders = {
  readonly headers: Readonly<Record<string, string>>
  readonly ttlMs?: number
}

export type LoginWish = {
  readonly clientName?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly grantType?: 'authorization_code' | 'client_credentials'
  /** What the person reads who signed in. */
  readonly successMessage?: string
}

export type Probed =
  | { readonly status: 'no-auth-required' | 'authenticated'; readonly httpResponse: Fields }
  | { readonly status: 'needs-auth'; readonly reason: string; readonly httpResponse: Fields }
  | { readonly status: 'failed'; readonly error: string; readonly httpResponse?: Fields }

type ToolCallOptions = {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly traceparent?: string
  /** In its place, from hooks; null for nothing. */
  readonly meta?: Readonly<Record<string, unknown>> | null
}

/** To one server. */
export interface Connection {
  /** Sorted by name: the order in which a server lists them may change from one start to the next. */
  readonly tools: readonly Listed[]
  /** What the server says of how it is to be used. */
  readonly instructions: string | undefined
  call(name: string, args: Record<string, unknown>, options: ToolCallOptions): Promise<unknown>
  /** In the words of the protocol. */
  resources(cursor?: string): Promise<unknown>
  resourceTemplates(cursor?: string): Promise<unknown>
  readResource(uri: string): Promise<unknown>
  close(): Promise<void>
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
  /** Who brought it: nobody else is asked for what it is signed in with. */
  readonly by?: symbol
}

/** What is used instead of time, chance and network in tests. */
export type ModelParts = {
  readonly newId: () => string
  readonly now: () => number
  /** Rejects when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

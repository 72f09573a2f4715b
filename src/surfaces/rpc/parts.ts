/** What the server is made of. It knows neither disks nor agents: they come from outside. */
import type { HomeServices } from '../../store/home-services.ts'
import type { SubagentSettings } from '../../agents/model/config.ts'
import type { Agent, PermissionPolicy, ToolDefinition } from '../../engine/agent.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Hook } from '../../engine/hook.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Streams } from '../../lib/json-rpc/peer.ts'
import type { AgentConfig, BroughtProvider } from './agent-config.ts'
import type { Canvases } from './canvases.ts'
import type { ClientFiles } from './client.ts'
import type { Limits } from './limits.ts'
import type { OfferedTools } from './offered-tools.ts'
import type { PermissionMode } from './permissions.ts'
import type { PromptTransform } from './prompt-transform.ts'
import type { TurnHeaders } from './request-headers.ts'
import type { SessionServers } from './session-servers.ts'
import type { Config } from '../../config/config-file.ts'
import type { GuidanceConfig } from '../../guidance/guidance.ts'

/** What can be known of sessions without opening one. */
type Catalogue = Pick<
  Engine,
  | 'fs'
  | 'list'
  | 'nearest'
  | 'summary'
  | 'summaries'
  | 'withPrefix'
  | 'ofTask'
  | 'latest'
  | 'latestFor'
  | 'resolve'
  | 'project'
  | 'inUse'
>

export type OpenedHost = {
  readonly engine: Engine
  /** What is known over all sessions, where the home has it. */
  readonly services?: HomeServices
  /** The user's own hooks, and those of plugins, as they are configured by now. */
  hooks(): Promise<readonly Hook[]>
  /** The user's own rules, and then the given policy. */
  policyWith(ask: PermissionPolicy): PermissionPolicy
  /** How long a question waits while nobody is there to answer it, where the user has set it. */
  readonly answerMs?: number
}

export type AgentWish = {
  readonly sessionId: SessionId
  readonly config: AgentConfig
  /** What the session uses now. */
  readonly model: string | undefined
  /** The agent that it had, by its name. */
  readonly recorded: string | undefined
  readonly tools: OfferedTools
  readonly servers: SessionServers
  readonly canvases: Canvases
  /** Where the session is. */
  readonly fs: Engine['fs']
  /** The token of a provider that gives it on demand only, from the client that brought the provider. */
  readonly token: (provider: BroughtProvider) => Promise<string | undefined>
  readonly headers: TurnHeaders
  readonly subagents: () => SubagentSettings
  /** By which a provider is reached: the client that brought it may make the requests itself. */
  readonly fetchFor: (provider: BroughtProvider) => typeof globalThis.fetch
  readonly transform: PromptTransform
}

type ModelEntry = { readonly id: string; readonly contextWindow?: number }

/** One call to the client that owns a session's files, by the method's name without its prefix. */
type FileCall = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>

export interface Settings {
  read(): Promise<Config>
  change(by: (config: Config) => Config): Promise<void>
  /** Reads the file again. */
  forget(): void
}

/** A program that speaks the protocol on its standard input and output. */
export type StartedProgram = Streams & {
  readonly pid: number | undefined
  /** How it ended, in words. */
  readonly ended: Promise<string>
  /** The end of what it wrote to its error output. */
  lastWords(): string
  stop(): Promise<void>
}

export interface ServerParts {
  readonly version: string
  readonly catalogue: Catalogue
  readonly cwd: string
  openHost(): Promise<OpenedHost>
  /** Sessions whose files a client owns. */
  openClientHost(id: SessionId, files: ClientFiles, call: FileCall): Promise<OpenedHost>
  agentFor(wish: AgentWish): Promise<Agent>
  /** Models that sessions can be asked to use. */
  models(): Promise<readonly ModelEntry[]>
  /** The user's own configuration. What is changed counts for sessions that are opened from then on. */
  readonly settings: Settings
  /** Folders of plugins that clients named, until the server ends. `settings.forget` lets them count. */
  readonly namedPlugins: { builtin: readonly string[]; additional: readonly string[] }
  /** Where the user's own guidance is. */
  readonly guidance: Pick<GuidanceConfig, 'userHome' | 'repriseHome'>
  /** The tools that every session has which a model answers. */
  builtinTools(): Promise<readonly ToolDefinition[]>
  /** Starts an extension for a session. */
  startExtension(of: {
    readonly path: string
    readonly sessionId: SessionId
    readonly cwd: string
    /** The Copilot SDK that it is given, in place of our own. */
    readonly sdkPath?: string
  }): Promise<StartedProgram>
  /** Loads what first calls need, once a client is there and before it asks. The session that was used last. */
  prepare(): Promise<SessionId | undefined>
  log(level: LogLevel, message: string): void
  readonly limits: Limits
  /** What a session begins with. */
  readonly permissionMode: PermissionMode
  readonly idleTimeoutMs?: number
  /** Clients may ask for the address and key of a model. */
  readonly tellsEndpoints: boolean
  /** Words that clients gave and are not shown. */
  readonly secrets: Set<string>
}

export type LogLevel = 'error' | 'warning' | 'info' | 'debug'

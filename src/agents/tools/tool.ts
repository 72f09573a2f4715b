/** What a tool is: arguments that are checked, a permission that may be needed, and work that tells how it goes. */
import type { z } from 'zod'
import type {
  AgentItem,
  Editor,
  PermissionDecision,
  PermissionRequest,
  Question,
  RequestMeta,
  Sandbox,
} from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'

export interface Tool<Args = unknown> {
  readonly name: string
  /** A name under which it may still be called, and meant by filters and hooks. */
  readonly formerName?: string
  /** For a model: what the tool does and when to use it. */
  readonly description: string
  readonly args: z.ZodType<Args>
  /** For a model, where `args` does not tell it: the JSON schema of the arguments. */
  readonly schema?: JsonSchema
  /** It changes nothing: calls of its kind never wait for each other. */
  readonly isReadOnly?: boolean
  /** Another program does the work, or a person, and sees to the order of its own calls: it waits for no other. */
  readonly isElsewhere?: boolean
  /** The server that does the work, when it is not ours. */
  readonly server?: ToolServer
  /** What is recorded with its start besides; the arguments are as they were given. */
  readonly started?: (args: unknown) => Pick<Payload<'tool.execution_start'>, 'shellToolInfo'>
  /** What has to be allowed before the tool runs, each by itself; undefined when it needs no leave. May refuse at once. */
  permission(args: Args, context: ToolContext): Promise<Deed | readonly Deed[] | undefined>
  /**
   * Does the work and gives the result; a generator also yields output as it comes. Throws `ToolFailure` when the
   * work cannot be done.
   */
  run(
    args: Args,
    context: ToolContext,
  ): Promise<ToolResult> | AsyncGenerator<string, ToolResult, undefined>
}

export type ToolContext = {
  readonly cwd: string
  /** The session's own folder. */
  readonly workspacePath: string
  readonly signal: AbortSignal
  /** Asks a person. Undefined when nobody answers. */
  readonly ask?: (question: Question) => Promise<string | undefined>
  readonly editor?: Editor | undefined
  /** In which commands run. Undefined where they run without one. */
  readonly sandbox?: Sandbox | undefined
  /** Asks whether a command that its sandbox refused something may be run again outside of it. */
  readonly leaveSandbox?: (deed: DeedOf<'shell'>) => Promise<PermissionDecision>
  /** False for a place that a rule denies to be read. Without it none does. */
  readonly mayRead?: ((place: string) => Promise<boolean>) | undefined
  /** Permission is asked for even to read in the project. */
  readonly asksToRead?: (() => boolean) | undefined
  /** The call, as a surface shows it. */
  readonly toolCallId?: string
  /** What hooks want to go with the request to a tool server; null for nothing. */
  readonly requestMeta?: RequestMeta | null
}

export type JsonSchema = { readonly [key: string]: unknown }

type ToolServer = {
  readonly mcpServerName: string
  readonly mcpToolName: string
  readonly mcpTransport: 'stdio' | 'http'
}

/** A permission request before it is known which call asks. */
export type Deed = Payload<'permission.requested'>['permissionRequest']
export type DeedOf<Kind extends PermissionRequest['kind']> = Extract<Deed, { readonly kind: Kind }>

type Completed = Payload<'tool.execution_complete'>

export type ToolResult = NonNullable<Completed['result']> & {
  /** Only commands have one. A command that ran and ended badly is still a tool that did its work. */
  readonly exitCode?: number
  /** What else happened by it, before its end. */
  readonly told?: readonly AgentItem[]
}

/**
 * `rejected`: a person said no and nothing more, which ends the turn. `failure`: a connected program failed; the message
 * is for people, and the model reads the result.
 */
export type FailureCode =
  'denied' | 'rejected' | 'failed' | 'failure' | 'timeout' | 'invalid_arguments'

export class ToolFailure extends Error {
  readonly code: FailureCode
  /** What there was before it failed. */
  readonly result: ToolResult | undefined

  constructor(code: FailureCode, message: string, result?: ToolResult) {
    super(message)
    this.name = 'ToolFailure'
    this.code = code
    this.result = result
  }
}

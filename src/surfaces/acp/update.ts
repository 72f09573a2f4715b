/** What a client is told of a session, in the words of the protocol's first version. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string }

export type ToolContent =
  | { readonly type: 'content'; readonly content: unknown }
  | {
      readonly type: 'diff'
      readonly path: string
      readonly oldText?: string
      readonly newText: string
    }

export type ToolFields = {
  readonly toolCallId: string
  readonly title?: string
  readonly name?: string
  readonly kind?: ToolKind
  readonly status?: 'pending' | 'in_progress' | 'completed' | 'failed'
  readonly content?: readonly unknown[]
  readonly locations?: readonly unknown[]
  readonly rawInput?: unknown
  readonly rawOutput?: unknown
  readonly _meta?: Readonly<Record<string, unknown>>
}

export type ToolKind =
  'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other'

export type PlanEntry = {
  readonly content: string
  readonly priority: 'high' | 'medium' | 'low'
  readonly status: 'pending' | 'in_progress' | 'completed'
}

export type Update =
  | {
      readonly sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'
      readonly content: Block
      readonly messageId: string
    }
  | ({ readonly sessionUpdate: 'tool_call'; readonly title: string } & ToolFields)
  | ({ readonly sessionUpdate: 'tool_call_update' } & ToolFields)
  | { readonly sessionUpdate: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly sessionUpdate: 'current_mode_update'; readonly currentModeId: string }
  | { readonly sessionUpdate: 'config_option_update'; readonly configOptions: readonly unknown[] }
  | {
      readonly sessionUpdate: 'available_commands_update'
      readonly availableCommands: readonly unknown[]
    }
  | {
      readonly sessionUpdate: 'session_info_update'
      readonly title?: string
      readonly updatedAt?: string
    }
  | { readonly sessionUpdate: 'usage_update'; readonly used: number; readonly size: number }
  | {
      readonly sessionUpdate: 'notice'
      readonly severity: 'info' | 'warning' | 'error'
      readonly title: string
      readonly description?: string
    }
  | {
      readonly sessionUpdate: 'compaction_update'
      readonly compactionId: string
      readonly status: 'in_progress' | 'completed' | 'failed'
      readonly summary?: readonly Block[]
      readonly error?: string
    }
  /** Of another agent, in whatever words it used. */
  | { readonly sessionUpdate: 'passed on'; readonly update: Readonly<Record<string, unknown>> }

export const text = (value: string): Block => ({ type: 'text', text: value })

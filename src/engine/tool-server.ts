/** A tool server (MCP) of the user's own configuration, as it was when it was last tried. */
export type ToolServerState = {
  readonly name: string
  /** Its command, or its address. */
  readonly at: string
  /** `off` says the configuration. */
  readonly status: 'connected' | 'failed' | 'needs-auth' | 'off'
  readonly tools: readonly string[]
  /** Why it cannot be used, in words. */
  readonly error?: string
}

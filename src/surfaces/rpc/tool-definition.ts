/** A tool as a model is told of it, in the shape that the SDK reads. */
import type { ToolDefinition } from '../../engine/agent.ts'

export function definedTool({ name, text, server }: ToolDefinition) {
  const { description = '', inputSchema } = JSON.parse(text) as {
    readonly description?: string
    readonly inputSchema?: unknown
  }
  return {
    name,
    description,
    input_schema: inputSchema,
    ...(server !== undefined && {
      mcpServerName: server,
      namespacedName: `${server}/${name.slice(server.length + 1)}`,
    }),
  }
}

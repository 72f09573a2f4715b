/** `/mcp`: the tool servers of the configuration, whether each comes up, with what, and what to do where it does not. */
import { z } from 'zod'
import type { ToolServerState } from '../engine/tool-server.ts'
import { command } from './command.ts'
import { code, plain } from './markdown.ts'

export const servers = command({
  name: 'mcp',
  summary: 'tool servers (MCP): whether each comes up, and its tools',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  async run({ engine, working }) {
    working?.('having the tool servers come up')
    try {
      return { servers: await engine.toolServers() }
    } finally {
      working?.(undefined)
    }
  },
  say: ({ servers: all }) => (all.length === 0 ? NONE : all.map(inWords).join('\n')),
})

const NONE = `No tool server is configured. ${code(`reprise config set mcpServers.<name> '{"command": "…", "args": []}'`)} adds one, or with ${code('{"url": "https://…"}')}.`

const inWords = ({ name, at, status, tools, error }: ToolServerState): string =>
  `- ${plain(name)} (${plain(at)}): ${said[status](name, tools, plain(error ?? ''))}`

const said: Record<
  ToolServerState['status'],
  (name: string, tools: readonly string[], error: string) => string
> = {
  connected: (_, tools) =>
    tools.length === 0 ? 'is up, without tools.' : `is up. Tools: ${plain(tools.join(', '))}.`,
  failed: (_, __, error) => `**cannot be used.** ${error}`,
  'needs-auth': (name, _, error) =>
    `**wants a sign-in.** ${error} Give it what it wants in ${code(`mcpServers.${name}.headers`)}; a client of the SDK can sign in for its session.`,
  off: (name) => `is off: ${code(`mcpServers.${name}.enabled`)} is false.`,
}

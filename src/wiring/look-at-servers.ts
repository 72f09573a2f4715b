/** Has each tool server of the configuration come up once, asks it for its tools, and ends it. */
import type { McpServer } from '../agents/model/config.ts'
import { toolServers } from '../agents/model/mcp.ts'
import { serversIn, type Config } from '../config/config-file.ts'
import type { ToolServerState } from '../engine/tool-server.ts'
import { defined } from '../lib/defined.ts'

/** A person waits. */
const PATIENCE_MS = 10_000

export async function lookAtServers(config: Config): Promise<readonly ToolServerState[]> {
  const on = serversIn(config) as Readonly<Record<string, McpServer>>
  const servers = toolServers(on, undefined, PATIENCE_MS)
  try {
    await servers.connectAll()
    const found = new Map(servers.list().map((each) => [each.name, each]))
    return await Promise.all(
      Object.entries(config.mcpServers ?? {}).map(async ([name, server]) => {
        const { status, error } = found.get(name) ?? {}
        const isUp = status === 'connected'
        const tools = isUp ? (await servers.connection(name)).tools : []
        return {
          name,
          at: 'url' in server ? server.url : [server.command, ...(server.args ?? [])].join(' '),
          status:
            isUp || status === 'needs-auth' ? status : status === undefined ? 'off' : 'failed',
          tools: tools.map((tool) => tool.name),
          ...defined({ error }),
        }
      }),
    )
  } finally {
    await servers.close()
  }
}

/** The tool servers of an agent: its own, and those that custom agents bring along, each opened once. */
import type { AgentItem } from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import type { CustomAgent } from '../../guidance/custom-agents.ts'
import type { Tool } from '../tools/tool.ts'
import type { McpServer, ModelConfig, ToolServers } from './config.ts'
import { toolServers } from './mcp.ts'

export function agentServers(config: ModelConfig) {
  const { offers = () => true } = config
  const servers = config.servers ?? toolServers(config.mcpServers ?? {}, config.traceparent)
  /** By the agent's name. */
  const theirServers = new Map<string, ToolServers>()
  const told = new Set<string>()

  function broughtBy({ name, mcpServers }: CustomAgent): ToolServers | undefined {
    if (mcpServers === undefined) return undefined
    let open = theirServers.get(name)
    if (open === undefined) {
      const brought = mcpServers as Readonly<Record<string, McpServer>>
      theirServers.set(name, (open = toolServers(brought, config.traceparent)))
    }
    return open
  }

  return {
    broughtBy,
    async *toolsFor(
      agent: CustomAgent | undefined,
      signal: AbortSignal,
    ): AsyncGenerator<AgentItem, readonly Tool[], undefined> {
      const found = [...(yield* servers.tools(signal))]
      const more = agent && broughtBy(agent)
      if (more !== undefined) found.push(...(yield* more.tools(signal)))
      return found.filter(({ name, formerName }) => offers(name, 'mcp', formerName))
    },
    /** Why servers are not there, each once for a session. */
    *troubles(id: SessionId): Generator<AgentItem, void, undefined> {
      for (const { status, error = '' } of [servers, ...theirServers.values()].flatMap((each) =>
        each.list(),
      )) {
        if (status !== 'failed' && status !== 'needs-auth') continue
        const message = `${error} The turn goes on without its tools; /mcp tells how the servers are.`
        if (told.has(`${id} ${message}`)) continue
        told.add(`${id} ${message}`)
        yield { draft: { type: 'session.warning', data: { warningType: 'mcp', message } } }
      }
    },
    async close(): Promise<void> {
      const own = config.servers === undefined ? [servers] : []
      await Promise.allSettled([...own, ...theirServers.values()].map((each) => each.close()))
    },
  }
}

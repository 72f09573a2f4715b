/**
 * Tools of MCP servers. A server is started when a turn first needs its tools, or a person wants it, and kept until the
 * agent closes; one that does not come up is told of, and the turn goes on without it. Every call needs permission.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { deferred, type Deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import { currentTraceparent } from '../../lib/telemetry.ts'
import { ToolFailure, type JsonSchema, type Tool } from '../tools/tool.ts'
import {
  isFor,
  type Listed,
  type McpServer,
  type ServerStatus,
  type ToolServers,
} from './config.ts'
import { serverHost } from './mcp-host.ts'
import { readResult } from './mcp-result.ts'

const CALL_TIMEOUT_MS = 10 * 60_000

export function toolServers(
  given: Readonly<Record<string, McpServer>>,
  traceparent: () => string | undefined = currentTraceparent,
  timeoutMs?: number,
): ToolServers {
  const host = serverHost(given, timeoutMs)
  const { connectionTo, forget } = host
  /** Turns that wait for servers to come up. */
  const waiting = new Set<Deferred<void>>()

  async function toolsOf(name: string, server: McpServer, signal: AbortSignal): Promise<Tool[]> {
    const connection = await connectionTo(name)
    signal.throwIfAborted()
    const wanted = server.tools && new Set(server.tools)
    return connection.tools
      .filter((tool) => wanted?.has(tool.name) !== false && isFor(tool, 'model'))
      .map((tool) => toolOf(name, server, tool))
  }

  const toolOf = (serverName: string, server: McpServer, listed: Listed): Tool => ({
    name: toolName(serverName, listed.name),
    formerName: formerToolName(serverName, listed.name),
    description: listed.description ?? listed.title ?? listed.name,
    args: z.record(z.string(), z.unknown()) as z.ZodType<unknown>,
    schema: listed.inputSchema as JsonSchema,
    isElsewhere: true,
    server: {
      mcpServerName: serverName,
      mcpToolName: listed.name,
      mcpTransport: 'url' in server ? 'http' : 'stdio',
    },
    permission: async (args) => ({
      kind: 'mcp',
      serverName,
      // As the model and the Copilot CLI name it, whatever a provider does not take of it.
      toolName: `${serverName}-${listed.name}`,
      toolTitle: listed.title ?? listed.name,
      args,
      // What a server says of itself is shown to the person who decides; nothing is allowed because of it.
      readOnly: listed.annotations?.readOnlyHint === true,
    }),
    async run(args, { signal, requestMeta }) {
      const trace = traceparent()
      const connection = connectionTo(serverName)
      const result = await (
        await connection
      )
        .call(listed.name, args as Record<string, unknown>, {
          signal,
          timeoutMs: server.timeoutMs ?? CALL_TIMEOUT_MS,
          ...defined({ traceparent: trace, meta: requestMeta }),
        })
        .catch((error: unknown) => {
          signal.throwIfAborted()
          if (!isAnswer(error)) forget(serverName, connection)
          throw new ToolFailure('failed', `The server ${serverName} failed: ${errorText(error)}`)
        })
      return readResult(result)
    },
  })

  return {
    ...host,
    async *tools(signal) {
      const entries = host
        .list()
        .filter(
          ({ status, isSilent }) => status !== 'disabled' && status !== 'stopped' && !isSilent,
        )
        .sort((a, b) => (a.name < b.name ? -1 : 1))
      const found = new Map<string, readonly Tool[]>()
      const all = Promise.allSettled(
        entries.map(async ({ name, server }) => {
          found.set(name, await toolsOf(name, server, signal))
        }),
      )
      const released = deferred<void>()
      waiting.add(released)
      await Promise.race([all, released.promise])
      waiting.delete(released)
      signal.throwIfAborted()
      for (const notice of host.untold()) yield { notice }
      const servers = host.list().map(wireServer)
      yield { notice: { type: 'session.mcp_servers_loaded', data: { servers } } }
      return distinct(entries.flatMap(({ name }) => found.get(name) ?? []))
    },
    goOn() {
      for (const released of waiting) released.resolve()
      return waiting.size > 0
    },
  }
}

/** In the words of the Copilot SDK. */
const wireServer = ({ name, status, error, instructions }: ServerStatus) => ({
  name,
  status,
  ...defined({ error }),
  ...(status === 'connected' && { serverMetadata: { instructions: instructions ?? null } }),
})

/** As the Copilot CLI names them. Providers take letters, digits, `_` and `-`, at most 64. */
export const toolName = (server: string, tool: string): string => fitting(`${server}-${tool}`)

/** How they were named once: logs, filters and hooks may still say it. */
const formerToolName = (server: string, tool: string): string => fitting(`${server}__${tool}`)

const fitting = (plain: string): string => (/^[\w-]{1,64}$/.test(plain) ? plain : hashed(plain))

/** What had to change keeps its own name by a hash. */
function hashed(plain: string, of = plain): string {
  const hash = createHash('sha256').update(of).digest('hex').slice(0, 8)
  return `${plain.replace(/[^\w-]+/g, '_').slice(0, 55)}_${hash}`
}

/** A server `a-b` with a tool `c` and a server `a` with a tool `b-c` are told apart. */
function distinct(tools: readonly Tool[]): readonly Tool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    const name = taken.has(tool.name) ? hashed(tool.name, tool.formerName) : tool.name
    taken.add(name)
    return { ...tool, name }
  })
}

/** The server said no, in its own protocol; anything else says that it cannot be reached. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code < 0

/** One MCP server: its process or address, the tools that it offers, and calls of them. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { childEnvironment } from '../../lib/child-environment.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import type { Connection, Listed, McpServer, ServerRequests } from './config.ts'
import { credentialFetch } from './mcp-fetch.ts'
import type { Credentials } from './mcp-fetch.ts'

const CONNECT_TIMEOUT_MS = 30_000
const MAX_PAGES = 50

export async function connect(
  name: string,
  server: McpServer,
  onClosed: () => void,
  credentials: Credentials,
  requests: () => ServerRequests,
): Promise<Connection> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { sample, showsPages = false } = requests()
  const client = new Client(
    { name: 'reprise', version: '1' },
    {
      capabilities: {
        ...(sample !== undefined && { sampling: {} }),
        ...(showsPages && { extensions: PAGES }),
      },
    },
  )
  if (sample !== undefined) {
    const { CreateMessageRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
    client.setRequestHandler(
      CreateMessageRequestSchema,
      async ({ params: request }, { requestId: mcpRequestId, signal }) =>
        (await sample({ serverName: name, mcpRequestId, request }, signal)) as never,
    )
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client takes no listeners
  client.onclose = onClosed
  const timeout = { timeout: CONNECT_TIMEOUT_MS }
  try {
    const fetch = 'url' in server && credentialFetch(name, server.url, credentials, requests)
    await client.connect(await transportTo(server, fetch || undefined), timeout)
    const tools: Listed[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor }, timeout)
      tools.push(...listed.tools)
      cursor = listed.nextCursor
      if (cursor === undefined) break
    }
    return {
      tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)),
      instructions: client.getInstructions(),
      resources: (from) => client.listResources(defined({ cursor: from }), timeout),
      resourceTemplates: (from) => client.listResourceTemplates(defined({ cursor: from }), timeout),
      readResource: (uri) => client.readResource({ uri }, timeout),
      call: (tool, args, { signal, timeoutMs, traceparent, meta = defined({ traceparent }) }) =>
        client.callTool(
          {
            name: tool,
            arguments: args,
            ...(meta !== null && Object.keys(meta).length > 0 && { _meta: { ...meta } }),
          },
          undefined,
          { signal, timeout: timeoutMs, resetTimeoutOnProgress: true },
        ),
      close: () => client.close(),
    }
  } catch (cause) {
    await client.close().catch(() => {}) // it never opened: why is what is told
    const reason = errorText(cause)
    throw new Error(`The tool server ${name} did not start: ${reason}`, { cause })
  }
}

/** As SEP-1865 names pages of servers. */
const PAGES = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }

async function transportTo(
  server: McpServer,
  fetch: ReturnType<typeof credentialFetch> | undefined,
): Promise<Transport> {
  if ('url' in server) {
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const init = { requestInit: { headers: { ...server.headers } }, ...defined({ fetch }) }
    return new StreamableHTTPClientTransport(new URL(server.url), init) as Transport
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  return new StdioClientTransport({
    command: server.command,
    args: [...(server.args ?? [])],
    env: { ...childEnvironment(), ...server.env },
    stderr: 'ignore',
    ...defined({ cwd: server.cwd }),
  })
}

/** A tool server on the loopback, over SSE or over HTTP, with one tool whose answer nobody could guess. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

export const TOOL = 'heron_count'
export const SECRET = 'SEVENTEEN-HERONS'

export interface ToolServer extends AsyncDisposable {
  /** As an editor names it in `session/new`. */
  readonly entry: Readonly<Record<string, unknown>>
  /** How often its tools were asked for, and its tool called. */
  readonly uses: { listed: number; called: number }
}

export async function startToolServer(type: 'sse' | 'http'): Promise<ToolServer> {
  const open = new Map<string, SSEServerTransport>()
  const uses = { listed: 0, called: 0 }
  const birds = () => birdServer(uses)
  const server = createServer((request, response) => {
    const answered =
      type === 'sse' ? overSse(request, response, birds, open) : overHttp(request, response, birds)
    answered.catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    uses,
    entry: { type, name: 'birds', url: `http://127.0.0.1:${port}/${type}`, headers: [] },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function overSse(
  request: IncomingMessage,
  response: ServerResponse,
  birds: () => McpServer,
  open: Map<string, SSEServerTransport>,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  if (request.method === 'GET' && pathname === '/sse') {
    const transport = new SSEServerTransport('/messages', response)
    open.set(transport.sessionId, transport)
    return birds().connect(transport)
  }
  const transport = open.get(searchParams.get('sessionId') ?? '')
  // A client that tries the newer way first is told that there is none.
  if (transport === undefined) return void response.writeHead(404).end()
  return transport.handlePostMessage(request, response)
}

async function overHttp(
  request: IncomingMessage,
  response: ServerResponse,
  birds: () => McpServer,
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const transport = new StreamableHTTPServerTransport({})
  await birds().connect(transport as Parameters<McpServer['connect']>[0])
  await transport.handleRequest(request, response)
}

function birdServer(uses: ToolServer['uses']): McpServer {
  const mcp = new McpServer({ name: 'birds', version: '1.0.0' }, { capabilities: { tools: {} } })
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => {
    uses.listed += 1
    const description = 'Counts herons.'
    return { tools: [{ name: TOOL, description, inputSchema: { type: 'object' } }] }
  })
  mcp.server.setRequestHandler(CallToolRequestSchema, () => {
    uses.called += 1
    return { content: [{ type: 'text', text: SECRET }] }
  })
  return mcp
}

/** One MCP server: its process or address, the tools that it offers, and calls of them. */
import { existsSync } from 'node:fs'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { childEnvironment } from '../../lib/child-environment.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import { safeText } from '../../lib/safe-text.ts'
import type { Connection, Listed, McpServer, ServerRequests } from './config.ts'
import { credentialFetch, type Credentials } from './mcp-fetch.ts'

const MAX_PAGES = 50

export async function connect(
  name: string,
  server: McpServer,
  onClosed: () => void,
  credentials: Credentials,
  requests: () => ServerRequests,
  timeoutMs: number,
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
  const timeout = { timeout: timeoutMs }
  const said = lastWords()
  try {
    const fetch = 'url' in server && credentialFetch(name, server.url, credentials, requests)
    await client.connect(await transportTo(server, fetch || undefined, said), timeout)
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
    throw new Error(`The tool server ${name} did not start: ${whyNot(server, cause, said)}`, {
      cause,
    })
  }
}

/** In words that lead to what is wrong: the library tells of its own timeouts and of a pipe that closed. */
function whyNot(server: McpServer, error: unknown, { text }: LastWords): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  const last = text().trim().split('\n').at(-1) ?? ''
  const more = last === '' ? '' : ` It said: ${sentence(last)}`
  if (code === ErrorCode.RequestTimeout) return `it does not answer.${more}`
  if (!('command' in server)) return sentence(errorText(cause ?? error))
  const { command, cwd } = server
  if (code === 'ENOENT')
    return cwd !== undefined && !existsSync(cwd)
      ? `there is no folder ${cwd}.`
      : `the program "${command}" is not found.`
  if (code === ErrorCode.ConnectionClosed)
    return `it ended at once, or does not speak the protocol.${more}`
  return `${sentence(errorText(error))}${more}`
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Of the MCP library, which is loaded when a server is. */
const ErrorCode = { ConnectionClosed: -32000, RequestTimeout: -32001 } as const

type LastWords = { hear(chunk: Buffer): void; text(): string }
const MOST_WORDS = 500

/** What a program wrote to its standard error at last. */
function lastWords(): LastWords {
  let kept = ''
  return {
    hear: (chunk) => void (kept = (kept + chunk.toString()).slice(-MOST_WORDS)),
    text: () => safeText(kept.toWellFormed()),
  }
}

/** As SEP-1865 names pages of servers. */
const PAGES = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }

async function transportTo(
  server: McpServer,
  fetch: ReturnType<typeof credentialFetch> | undefined,
  said: LastWords,
): Promise<Transport> {
  if ('url' in server) {
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const init = { requestInit: { headers: { ...server.headers } }, ...defined({ fetch }) }
    return new StreamableHTTPClientTransport(new URL(server.url), init) as Transport
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const transport = new StdioClientTransport({
    command: server.command,
    args: [...(server.args ?? [])],
    env: { ...childEnvironment(), ...server.env },
    stderr: 'pipe',
    ...defined({ cwd: server.cwd }),
  })
  transport.stderr?.on('data', said.hear)
  return transport
}

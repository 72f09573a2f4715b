/** A tool server over HTTP that wants a token or a header, and the server where people sign in with it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

export interface RemoteServer extends AsyncDisposable {
  readonly url: string
  /** What requests were let in with. */
  readonly letIn: Set<string>
  /** What came with every request. */
  readonly shown: object[]
  /** Requests to the tools are sent on to there. */
  sendsOnTo?: string
}

const TOKEN = 'signed-in'

/** Lets in who shows one of these tokens, or one that signing in gives, or has this header. */
export async function startRemoteServer(
  tokens: readonly string[],
  header?: readonly [name: string, value: string],
): Promise<RemoteServer> {
  const letIn = new Set<string>()
  const shown: object[] = []
  const good = new Set([...tokens, TOKEN])
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', base())
    shown.push({ url: url.href, ...request.headers })
    const json = (body: object) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (url.pathname === '/mcp') return mcp(request, response)
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json({ resource: `${base()}/mcp`, authorization_servers: [base()] })
    if (url.pathname.startsWith('/.well-known/oauth-authorization-server'))
      return json({
        issuer: base(),
        authorization_endpoint: `${base()}/authorize`,
        token_endpoint: `${base()}/token`,
        registration_endpoint: `${base()}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      })
    if (url.pathname === '/register')
      return json({ client_id: 'c', redirect_uris: ['http://127.0.0.1/callback'] })
    if (url.pathname === '/token') return json({ access_token: TOKEN, token_type: 'Bearer' })
    if (url.pathname === '/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'code')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
      return
    }
    response.writeHead(404).end()
  }

  async function mcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (remote.sendsOnTo !== undefined) {
      response.writeHead(307, { location: remote.sendsOnTo }).end()
      return
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const key = header && request.headers[header[0]] === header[1] ? header[1] : token
    if (!good.has(token) && key !== header?.[1]) {
      const where = `${base()}/.well-known/oauth-protected-resource`
      const challenge = `Bearer resource_metadata="${where}"`
      response.writeHead(401, { 'www-authenticate': challenge }).end()
      return
    }
    letIn.add(key)
    const tools = new McpServer({ name: 'far', version: '1' })
    tools.registerTool('hello', { description: 'hello' }, () => ({
      content: [{ type: 'text', text: 'hello' }],
    }))
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true } as never)
    await tools.connect(transport as Parameters<typeof tools.connect>[0])
    await transport.handleRequest(request, response)
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()))
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const remote: RemoteServer = {
    url: `${base()}/mcp`,
    letIn,
    shown,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return remote
}

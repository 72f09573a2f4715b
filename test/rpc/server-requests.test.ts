/** What tool servers want of programs, through the real SDK: tokens, headers, answers of the model, pages. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { approveAll, type CopilotSession, type SessionConfig } from '@github/copilot-sdk'
import { deferred } from '../../src/lib/deferred.ts'
import type { Asked, Reply } from '../model-server/reply.ts'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'
import { startRemoteServer } from './remote-server.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl },
})

const statusOf = async ({ rpc }: CopilotSession, name: string) =>
  (await rpc.mcp.list()).servers.find((server) => server.name === name)?.status

test('a client gives the token that a tool server wants; without one the server is said to want it', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using remote = await startRemoteServer(['from-host'])
  await using place = makeRpcPlace()
  const client = place.client()
  const far = { type: 'http' as const, url: remote.url, tools: ['*'] }
  const asked: string[] = []
  const session = await client.createSession({
    ...config(model),
    mcpServers: { far },
    onMcpAuthRequest: ({ serverName, reason }) => {
      asked.push(`${serverName} ${reason}`)
      return { kind: 'token', accessToken: 'from-host' }
    },
  })
  assert.equal(await statusOf(session, 'far'), 'connected')
  assert.deepEqual(asked, ['far initial'])
  assert.deepEqual([...remote.letIn], ['from-host'])
  const probed = await session.rpc.mcp.oauth.probe({ serverName: 'far' })
  assert.equal(probed.status, 'authenticated')

  const other = await client.createSession({ ...config(model), mcpServers: { far } })
  const { servers, host } = await other.rpc.mcp.list()
  assert.deepEqual(
    servers.map(({ name, status }) => [name, status]),
    [['far', 'needs-auth']],
  )
  assert.deepEqual(Object.keys(host?.needsAuthServers ?? {}), ['far'])
  assert.equal((await other.rpc.mcp.oauth.probe({ serverName: 'far' })).status, 'needs-auth')
})

test('a person signs in with a tool server in the browser, and it is connected then', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using remote = await startRemoteServer([])
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    ...config(model),
    mcpServers: { far: { type: 'http', url: remote.url, tools: ['*'] } },
  })
  assert.equal(await statusOf(session, 'far'), 'needs-auth')
  const connected = deferred<void>()
  session.on((event) => {
    const { status } = event.data as { status?: string }
    if (event.type === 'session.mcp_server_status_changed' && status === 'connected')
      connected.resolve()
  })
  const { authorizationUrl = '' } = await session.rpc.mcp.oauth.login({
    serverName: 'far',
    callbackSuccessMessage: 'Welcome.',
  })
  assert.equal(await (await fetch(authorizationUrl)).text(), 'Welcome.')
  await connected.promise
  assert.deepEqual([...remote.letIn], ['signed-in'])
  assert.deepEqual(
    (await session.rpc.mcp.listTools({ serverName: 'far' })).tools.map(({ name }) => name),
    ['hello'],
  )
  await assert.rejects(session.rpc.mcp.oauth.login({ serverName: 'none' }), /no tool server none/)
})

test('a client gives headers that a tool server is asked with', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using remote = await startRemoteServer([], ['x-key', 'short-lived'])
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    ...config(model),
    mcpServers: { far: { type: 'http', url: remote.url, tools: ['*'] } },
  })
  await session.rpc.eventLog.registerInterest({ eventType: 'mcp.headers_refresh_required' })
  const reasons: string[] = []
  session.on((event) => {
    if (event.type !== 'mcp.headers_refresh_required') return
    const { requestId, reason } = event.data
    reasons.push(reason)
    void session.rpc.mcp.headers.handlePendingHeadersRefreshRequest({
      requestId,
      result: { kind: 'headers', headers: { 'x-key': 'short-lived' } },
    })
  })
  assert.equal(await statusOf(session, 'far'), 'connected')
  assert.deepEqual(reasons, ['startup'])
  assert.deepEqual([...remote.letIn], ['short-lived'])
})

const modules = import.meta.resolve('@modelcontextprotocol/sdk/server/mcp.js')
const PAGE = 'text/html;profile=mcp-app'

/** Tools for the model, for pages, for both; one asks the model itself. */
const SERVER = `
import { McpServer } from ${JSON.stringify(modules)}
import { StdioServerTransport } from ${JSON.stringify(modules.replace('mcp.js', 'stdio.js'))}
const server = new McpServer({ name: 'own', version: '1' })
const says = (text) => async () => ({ content: [{ type: 'text', text }] })
const seen = (...visibility) => ({ ui: { visibility } })
server.registerTool('page', { description: 'p', _meta: seen('app') }, says('for a page'))
server.registerTool('model', { description: 'm', _meta: seen('model') }, says('for the model'))
server.registerTool('think', { description: 't' }, async () => {
  const content = { type: 'text', text: 'SAMPLE' }
  const asked = { messages: [{ role: 'user', content }], maxTokens: 9, systemPrompt: 'Brief' }
  const { content: said } = await server.server.createMessage(asked)
  return { content: [{ type: 'text', text: 'thought ' + said.text }] }
})
const page = { uri: 'ui://own/view', mimeType: '${PAGE}', text: '<p>hi</p>' }
server.registerResource('view', page.uri, { mimeType: page.mimeType }, async () => ({ contents: [page] }))
await server.connect(new StdioServerTransport())
`

test('a tool server asks the model, when a client allows it', async () => {
  const say = (asked: Asked): Reply => {
    const last = (asked.body['messages'] as readonly { role: string; content: unknown }[]).at(-1)
    if (JSON.stringify(last).includes('SAMPLE')) return { text: 'forty-two' }
    if (last?.role === 'tool') return { text: 'end' }
    return { calls: [{ name: 'own-think', arguments: {} }] }
  }
  await using model = await startModelServer(say)
  await using place = makeRpcPlace()
  const path = join(place.project, 'server.mjs')
  writeFileSync(path, SERVER)
  const own = { type: 'local' as const, command: process.execPath, args: [path], tools: ['*'] }
  const session = await place.client().createSession({ ...config(model), mcpServers: { own } })
  await session.sendAndWait('begin')
  // Nobody was there to allow it.
  const said = () => JSON.stringify(model.requests.at(-1)?.body['messages'])
  assert.match(said(), /Nobody allowed an answer of the model/)
  await session.rpc.eventLog.registerInterest({ eventType: 'sampling.requested' })
  session.on((event) => {
    if (event.type !== 'sampling.requested') return
    const { requestId, serverName, mcpRequestId, request } = event.data as never as {
      requestId: string
      serverName: string
      mcpRequestId: number
      request: Record<string, unknown>
    }
    const { mcp, ui } = session.rpc
    void mcp
      .executeSampling({ requestId, serverName, mcpRequestId, request })
      .then(({ result }) =>
        ui.handlePendingSampling({ requestId, ...(result !== undefined && { response: result }) }),
      )
  })
  const completed = nextEvent(session, 'sampling.completed')
  await session.sendAndWait('again')
  await completed
  assert.match(said(), /thought forty-two/)
  const sampled = model.requests.find(({ raw }) => raw.includes('SAMPLE'))?.body
  assert.deepEqual(
    [sampled?.['max_tokens'], (sampled?.['messages'] as readonly object[] | undefined)?.[0]],
    [9, { role: 'system', content: 'Brief' }],
  )
  // It is no part of the conversation.
  assert.doesNotMatch(JSON.stringify(await session.getEvents()), /SAMPLE/)
})

test('pages of a tool server are read and call its tools, but not those for the model alone', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const client = place.client()
  const path = join(place.project, 'server.mjs')
  writeFileSync(path, SERVER)
  const own = { type: 'local' as const, command: process.execPath, args: [path], tools: ['*'] }
  const made = { ...config(model), mcpServers: { own } }
  const session = await client.createSession({ ...made, enableMcpApps: true })
  assert.equal(session.capabilities.ui?.mcpApps, true)
  const { apps } = session.rpc.mcp
  const origin = { serverName: 'own', originServerName: 'own' }
  const listed = await apps.listTools(origin)
  assert.deepEqual(
    listed.tools.map((tool) => tool['name']),
    ['page', 'think'],
  )
  assert.deepEqual(await apps.callTool({ ...origin, toolName: 'page' }), {
    content: [{ type: 'text', text: 'for a page' }],
  })
  await assert.rejects(apps.callTool({ ...origin, toolName: 'model' }), /No page may call/)
  await assert.rejects(
    apps.callTool({ serverName: 'own', originServerName: 'other', toolName: 'page' }),
    /A page of other may not/,
  )
  const { contents } = await apps.readResource({ serverName: 'own', uri: 'ui://own/view' })
  assert.deepEqual([contents[0]?.mimeType, contents[0]?.text], [PAGE, '<p>hi</p>'])
  const { capability, server } = await apps.diagnose({ serverName: 'own' })
  assert.deepEqual([capability.advertised, server.toolCount, server.toolsWithUiMeta], [true, 3, 2])
  await apps.setHostContext({ context: { theme: 'dark' } })
  assert.deepEqual(await apps.getHostContext(), { context: { theme: 'dark' } })
  // The model is not offered what is for pages alone.
  await session.sendAndWait('hi')
  const tools = model.requests.at(-1)?.body['tools'] as readonly { function: { name: string } }[]
  const names = tools.map((tool) => tool.function.name)
  assert.deepEqual([names.includes('own-page'), names.includes('own-model')], [false, true])

  const plain = await client.createSession(made)
  await assert.rejects(plain.rpc.mcp.apps.listTools(origin), /"mcp-apps" capability/)
})

test('a turn that waits for a tool server goes on without it when it is told to', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const slow = {
    type: 'local' as const,
    command: process.execPath,
    args: ['-e', 'process.stdin.resume()'],
    tools: ['*'],
  }
  const session = await place.client().createSession({ ...config(model), mcpServers: { slow } })
  const { mcp } = session.rpc
  assert.deepEqual(await mcp.moveLoadingToBackground(), { movedToBackground: false })
  const pending = nextEvent(session, 'session.mcp_server_status_changed')
  const answered = session.sendAndWait('hi')
  await pending
  let isMoved = false
  while (!isMoved) isMoved = (await mcp.moveLoadingToBackground()).movedToBackground
  assert.equal((await answered)?.data.content, 'ok')
})

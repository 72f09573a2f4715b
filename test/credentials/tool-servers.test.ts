/** A sign-in belongs to the place where it was given and to the client that gave it, not to the name of a tool server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CopilotSession, MCPServerConfig, SessionConfig } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { makeRpcPlace, portOf } from '../rpc/place.ts'
import { startRemoteServer, type RemoteServer } from '../rpc/remote-server.ts'
import { base } from './kinds.ts'
import { word, wordsIn } from './recorder.ts'

const TOKEN = 'the-door'
const local: MCPServerConfig = {
  type: 'local',
  command: process.execPath,
  args: [new URL('../model-server/mcp-server.ts', import.meta.url).pathname],
  tools: ['*'],
}

const at = ({ url }: RemoteServer, owner: string): MCPServerConfig => ({
  type: 'http',
  url,
  headers: { 'x-own': word(owner, 'header') },
  tools: ['*'],
})

/** The server of that name, as this client brings it and signs in with it, there and nowhere else. */
const bringing = (far: MCPServerConfig, owner: string, asked: string[] = []): SessionConfig => {
  const own = 'url' in far ? far.url : ''
  return {
    ...base,
    mcpServers: { far },
    onMcpAuthRequest: ({ serverUrl }) => {
      asked.push(`${owner} for ${new URL(serverUrl).host}`)
      return serverUrl === own
        ? { kind: 'token', accessToken: word(owner, 'token') }
        : { kind: 'cancelled' }
    },
  }
}

const statusOf = async ({ rpc }: CopilotSession) => (await rpc.mcp.list()).servers[0]?.status
const heard = ({ shown }: RemoteServer) => wordsIn(JSON.stringify(shown)).toSorted()
const wordsOf = (owner: string) => [word(owner, 'header'), word(owner, 'token')]

/** Two tool servers, each of which takes the token of its owner, and a session that knows the first. */
async function open() {
  await using stack = new AsyncDisposableStack()
  const model = stack.use(await startModelServer(() => ({ text: 'ok' })))
  const red = stack.use(await startRemoteServer([word('red', 'token')]))
  const blue = stack.use(await startRemoteServer([word('blue', 'token')]))
  const place = stack.use(makeRpcPlace())
  const client = place.tcpClient(TOKEN)
  await client.start()
  const provider = { type: 'openai' as const, baseUrl: model.baseUrl }
  const asked: string[] = []
  const session = await client.createSession({
    ...bringing(at(red, 'red'), 'red', asked),
    model: 'm',
    provider,
  })
  assert.equal(await statusOf(session), 'connected')
  assert.deepEqual(heard(red), wordsOf('red'))
  const held = stack.move()
  return {
    red,
    blue,
    place,
    client,
    session,
    asked,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

test('a tool server at another URL is shown nothing of what the former one of its name was signed in with', async () => {
  await using it = await open()
  const { blue, client, session } = it
  const silent = {
    ...bringing(at(blue, 'blue'), 'red'),
    onMcpAuthRequest: () => undefined as never,
  }
  const again = await client.resumeSession(session.sessionId, silent)
  assert.equal(await statusOf(again), 'needs-auth')
  assert.deepEqual(heard(blue), [word('blue', 'header')])
})

test('a tool server that is started at another URL, or at another path, is shown nothing either', async () => {
  await using it = await open()
  const { red, blue, session } = it
  red.shown.length = 0
  for (const url of [blue.url, red.url.replace('/mcp', '/other')]) {
    const config = { ...at(blue, 'blue'), url }
    await assert.rejects(session.rpc.mcp.startServer({ serverName: 'far', config }))
  }
  assert.deepEqual([heard(blue), heard(red)], [[word('blue', 'header')], [word('blue', 'header')]])
})

test('the same place with other settings stays signed in, and a command between them ends that', async () => {
  await using it = await open()
  const { red, client, session, asked } = it
  const slower = { ...at(red, 'red'), timeout: 5000 }
  await client.resumeSession(session.sessionId, bringing(slower, 'red', asked))
  assert.equal(await statusOf(session), 'connected')
  assert.equal(asked.length, 1)
  await client.resumeSession(session.sessionId, bringing(local, 'red', asked))
  assert.equal(await statusOf(session), 'connected')
  await client.resumeSession(session.sessionId, bringing(at(red, 'red'), 'red', asked))
  assert.equal(await statusOf(session), 'connected')
  assert.equal(asked.length, 2)
})

test('a tool server that sends on to another is not followed there, neither when it is probed', async () => {
  await using it = await open()
  const { red, blue, session } = it
  red.sendsOnTo = blue.url
  await assert.rejects(session.rpc.mcp.restartServer({ serverName: 'far' }), /[Rr]edirect/)
  const { status } = await session.rpc.mcp.oauth.probe({ serverName: 'far' })
  assert.equal(status, 'failed')
  assert.deepEqual(blue.shown, [])
})

test('only the client that brought a tool server is asked for its token', async () => {
  await using it = await open()
  const { blue, place, client, session, asked } = it
  const other = place.join(portOf(client), TOKEN)
  const joined = await other.resumeSession(
    session.sessionId,
    bringing(at(blue, 'blue'), 'blue', asked),
  )
  assert.equal(await statusOf(joined), 'connected')
  assert.deepEqual(heard(blue), wordsOf('blue'))
  assert.deepEqual(asked.slice(1), [`blue for ${new URL(blue.url).host}`])
})

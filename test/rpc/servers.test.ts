/** Tool servers and skills through the real SDK: what is switched has its effect on the next request, and is told. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  approveAll,
  type MCPServerConfig,
  type SessionConfig,
  type SessionEvent,
} from '@github/copilot-sdk'
import type { Asked } from '../model-server/reply.ts'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl },
})

const echo: MCPServerConfig = {
  type: 'local',
  command: process.execPath,
  args: [new URL('../model-server/mcp-server.ts', import.meta.url).pathname],
  tools: ['*'],
}

const ofServers = (asked: Asked | undefined): string[] =>
  ((asked?.body['tools'] ?? []) as readonly { function: { name: string } }[])
    .map((tool) => tool.function.name)
    .filter((name) => name.endsWith('-echo'))
const saidTo = (asked: Asked | undefined): string => JSON.stringify(asked?.body['messages'])

test('tool servers are listed, switched, started, stopped and replaced while a session is open', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const client = place.client()
  const told: string[] = []
  const onEvent = ({ type, data }: SessionEvent) => {
    if (type === 'session.mcp_server_status_changed') told.push(`${data.serverName} ${data.status}`)
    if (type === 'session.mcp_servers_loaded') told.push(`${data.servers.length} loaded`)
  }
  const session = await client.createSession({
    ...config(model),
    onEvent,
    mcpServers: { one: echo, gone: { type: 'local', command: '/nowhere', args: [], tools: ['*'] } },
  })
  const { mcp } = session.rpc
  const statuses = async () =>
    (await mcp.list()).servers.map(({ name, status }) => `${name} ${status}`)

  assert.deepEqual(await statuses(), ['gone failed', 'one connected'])
  assert.match((await mcp.list()).servers[0]?.error ?? '', /\/nowhere/)
  const { tools } = await mcp.listTools({ serverName: 'one' })
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['die', 'echo', 'fail.loudly'],
  )
  await session.sendAndWait('one')
  assert.deepEqual(ofServers(model.requests.at(-1)), ['one-echo'])
  assert.deepEqual(told.slice(0, 2), ['one pending', 'gone pending'])
  assert.ok(told.includes('one connected') && told.includes('gone failed'))
  assert.ok(told.includes('2 loaded'))

  await mcp.disable({ serverName: 'one' })
  assert.deepEqual(await mcp.isServerRunning({ serverName: 'one' }), { running: false })
  await session.sendAndWait('two')
  assert.deepEqual(ofServers(model.requests.at(-1)), [])
  await mcp.enable({ serverName: 'one' })
  await mcp.startServer({ serverName: 'two', config: echo })
  assert.deepEqual(await statuses(), ['gone failed', 'one connected', 'two connected'])
  await session.sendAndWait('three')
  assert.deepEqual(ofServers(model.requests.at(-1)), ['one-echo', 'two-echo'])
  await mcp.stopServer({ serverName: 'two' })
  assert.deepEqual((await statuses()).at(-1), 'two stopped')
  await mcp.restartServer({ serverName: 'two', config: echo })
  assert.deepEqual(await mcp.isServerRunning({ serverName: 'two' }), { running: true })

  assert.deepEqual(
    (await mcp.resources.list({ serverName: 'one' })).resources.map(({ uri }) => uri),
    ['test://one'],
  )
  assert.deepEqual((await mcp.resources.read({ serverName: 'one', uri: 'test://one' })).contents, [
    { uri: 'test://one', text: 'ONE' },
  ])
  await assert.rejects(mcp.stopServer({ serverName: 'nope' }), /There is no tool server nope/)
})

test('tool servers that are configured count for sessions that are opened then', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const client = place.client()
  await client.start()
  const { config: servers } = client.rpc.mcp
  const offered = async () => {
    const session = await client.createSession(config(model))
    await session.sendAndWait('go')
    await session.disconnect()
    return ofServers(model.requests.at(-1))
  }
  await servers.add({ name: 'mine', config: echo })
  await assert.rejects(servers.add({ name: 'mine', config: echo }), /already exists/)
  assert.deepEqual(Object.keys((await servers.list()).servers), ['mine'])
  assert.deepEqual(await offered(), ['mine-echo'])
  await servers.disable({ names: ['mine'] })
  assert.deepEqual((await client.rpc.mcp.discover({})).servers, [
    { name: 'mine', type: 'stdio', source: 'user', enabled: false },
  ])
  assert.deepEqual(await offered(), [])
  await servers.enable({ names: ['mine'] })
  await servers.remove({ name: 'mine' })
  assert.deepEqual(await servers.list(), { servers: {} })
  await assert.rejects(servers.remove({ name: 'mine' }), /MCP server 'mine' not found/)
})

test('a hook says what goes with the request to a tool server', async () => {
  for (const [metaToUse, given] of [
    [{ tenant: 'one' }, '"meta":{"tenant":"one"}'],
    [undefined, ''],
  ] as const) {
    await using model = await startModelServer([
      { calls: [{ name: 'one-echo', arguments: { text: 'x' } }] },
      { text: 'ok' },
    ])
    await using place = makeRpcPlace()
    const heard: unknown[] = []
    const session = await place.client().createSession({
      ...config(model),
      mcpServers: { one: echo },
      hooks: {
        onPreMcpToolCall: ({ serverName, toolName, arguments: args }) => {
          heard.push([serverName, toolName, args])
          return metaToUse === undefined ? undefined : { metaToUse }
        },
      },
    })
    await session.sendAndWait('go')
    assert.deepEqual(heard, [['one', 'echo', { text: 'x' }]])
    const said = (await session.getEvents()).flatMap((event) =>
      event.type === 'tool.execution_complete' ? [event.data.result?.content ?? ''] : [],
    )
    assert.ok(said[0]?.includes(given), said[0])
    assert.equal(said[0]?.includes('tenant'), metaToUse !== undefined)
  }
})

test('a skill is told to the model, called up, switched off for a session and for all', async () => {
  await using model = await startModelServer((asked) =>
    saidTo(asked).includes('call-1')
      ? { text: 'ok' }
      : { calls: [{ name: 'skill', id: 'call-1', arguments: { skill: 'pdf' } }] },
  )
  await using place = makeRpcPlace()
  const folder = join(place.project, '.github/skills/pdf')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), '---\ndescription: makes PDFs\n---\nUSE THE PRESS')
  const client = place.client()
  const session = await client.createSession(config(model))
  const { skills } = session.rpc
  const loaded = nextEvent(session, 'session.skills_loaded')
  await session.sendAndWait('go')
  assert.equal((await loaded).type, 'session.skills_loaded')
  assert.match(saidTo(model.requests[0]), /<skill name=\\"pdf\\">\\nmakes PDFs/)
  assert.match(saidTo(model.requests[1]), /USE THE PRESS/)
  const [invoked] = (await skills.getInvoked()).skills
  assert.deepEqual(
    [invoked?.name, invoked?.content, invoked?.invokedAtTurn],
    ['pdf', 'USE THE PRESS', 1],
  )

  await skills.disable({ name: 'pdf' })
  assert.deepEqual(
    (await skills.list()).skills.map(({ name, enabled }) => [name, enabled]),
    [['pdf', false]],
  )
  await session.sendAndWait('again')
  assert.doesNotMatch(JSON.stringify(model.requests.at(-1)?.body['messages']), /makes PDFs/)

  const found = async () =>
    (await client.rpc.skills.discover({ projectPaths: [place.project] })).skills.map(
      ({ name, enabled }) => [name, enabled],
    )
  assert.deepEqual(await found(), [['pdf', true]])
  await client.rpc.skills.config.setSkillDisabled({ name: 'pdf', disabled: true })
  assert.deepEqual(await found(), [['pdf', false]])
  await client.rpc.skills.config.setDisabledSkills({ disabledSkills: [] })
  assert.deepEqual(await found(), [['pdf', true]])
})

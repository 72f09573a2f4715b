import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import type { McpServer } from '../../src/agents/model/config.ts'
import { toolFilter } from '../../src/config/tool-filter.ts'
import { toolName } from '../../src/agents/model/mcp.ts'
import { answerTo } from '../model-server/mcp-server.ts'
import { dataOf, noticesDuring, openPlace, spoken } from './place.ts'
import { converse } from '../support/engine.ts'

const stdio: McpServer = {
  command: process.execPath,
  args: [new URL('../model-server/mcp-server.ts', import.meta.url).pathname],
  env: { NODE_NO_WARNINGS: '1' },
}

test('tools of a server are offered by its name, need leave, and are told the trace', async () => {
  await using here = await openPlace([
    {
      calls: [
        { name: 'test__echo', arguments: { text: 'hi' } },
        { name: toolName('test', 'fail.loudly'), arguments: {} },
      ],
    },
    { text: 'ok' },
  ])
  process.env['SECRET_KEY'] = 'mine'
  const engine = here.engine({ mcpServers: { test: stdio }, traceparent: () => '00-trace-01' })
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'go' })
  delete process.env['SECRET_KEY']
  const offered = here.server.requests[0]?.body['tools'] as { function: { name: string } }[]
  assert.deepEqual(
    offered.map((tool) => tool.function.name).filter((name) => name.startsWith('test-')),
    ['test-die', 'test-echo', 'test-fail_loudly_' + toolName('test', 'fail.loudly').slice(-8)],
  )
  const said = { arguments: { text: 'hi' }, meta: { traceparent: '00-trace-01' } }
  assert.deepEqual(spoken(here.server.requests[1]?.body).slice(2), [
    `tool: ${JSON.stringify(said)}\n[image image/png]`,
    'tool: It failed.',
  ])
  const asked = await dataOf(engine, id, 'permission.requested')
  assert.deepEqual(asked[1]?.permissionRequest, {
    kind: 'mcp',
    serverName: 'test',
    toolName: 'test-fail.loudly',
    toolTitle: 'Fails',
    args: {},
    readOnly: true,
    toolCallId: asked[1]?.permissionRequest.toolCallId,
  })
  const [started] = await dataOf(engine, id, 'tool.execution_start')
  assert.deepEqual(
    [started?.mcpServerName, started?.mcpToolName, started?.mcpTransport],
    ['test', 'echo', 'stdio'],
  )
})

test('a server that dies fails its call and is started again for the next', async () => {
  await using here = await openPlace([
    { calls: [{ name: 'test-die', arguments: {} }] },
    { calls: [{ name: 'test__echo', arguments: {} }] },
    { text: 'ok' },
  ])
  const engine = here.engine({ mcpServers: { test: stdio } })
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'go' })
  const results = await dataOf(engine, id, 'tool.execution_complete')
  assert.deepEqual(
    results.map(({ success }) => success),
    [false, true],
  )
})

test('filters and hooks that say the former name of a tool still mean it', async () => {
  await using here = await openPlace([
    { calls: [{ name: 'test-echo', arguments: {} }] },
    { text: 'ok' },
  ])
  const isWanted = toolFilter({ availableTools: ['mcp:test-echo', 'test__die'] })
  const engine = here.engine(
    { mcpServers: { test: stdio }, offers: isWanted },
    {
      hooks: [
        {
          type: 'preToolUse',
          tools: ['test__echo'],
          run: async () => ({ deny: true, reason: 'not this one' }),
        },
      ],
    },
  )
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'go' })
  const offered = here.server.requests[0]?.body['tools'] as { function: { name: string } }[]
  assert.deepEqual(
    offered.map((tool) => tool.function.name),
    ['test-die', 'test-echo'],
  )
  const [{ error } = {}] = await dataOf(engine, id, 'tool.execution_complete')
  assert.match(error?.message ?? '', /not this one/)
})

test('a server that does not start is told of, and the turn goes on without it', async () => {
  await using here = await openPlace([{ text: 'ok' }])
  const engine = here.engine({ mcpServers: { gone: { command: '/nowhere/at/all' } } })
  const { id } = await engine.create({ cwd: here.cwd })
  await (await engine.open(id)).save()
  const notices = await noticesDuring(engine, id, async () => {
    assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')
  })
  const told = notices.findLast(({ type }) => type === 'session.mcp_server_status_changed')
  assert.match(JSON.stringify(told?.data), /"serverName":"gone","status":"failed"/)
})

test('a server behind an address is called with its headers, and only the chosen tools are offered', async () => {
  const keys: unknown[] = []
  const server = createServer(async (request, response) => {
    keys.push(request.headers['x-key'])
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const asked = JSON.parse(text) as { id?: number; method: string }
    if (asked.id === undefined) return void response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: answerTo(asked) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await using here = await openPlace([
      { calls: [{ name: 'web-echo', arguments: { text: 'hi' } }] },
      { text: 'ok' },
    ])
    const url = `http://127.0.0.1:${port}/mcp`
    const web: McpServer = { url, headers: { 'x-key': 'k' }, tools: ['echo'] }
    const engine = here.engine({ mcpServers: { web } })
    const { id } = await engine.create({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'go' })
    assert.match(spoken(here.server.requests[1]?.body).at(-1) ?? '', /"arguments":\{"text":"hi"\}/)
    assert.doesNotMatch(here.server.requests[0]?.raw ?? '', /web-die/)
    assert.deepEqual(new Set(keys), new Set(['k']))
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

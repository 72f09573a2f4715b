import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { ALLOW, connectClient, startServer } from './place.ts'

const words = (prompt: string) => [{ type: 'text', text: prompt }]
type New = { sessionId: string }

it('a session survives the end of its server, and every tool is settled when it is loaded', async () => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const first = startServer(home)
  const one = await connectClient(first.stdout!, first.stdin!)
  one.answers = { 'session/request_permission': () => ALLOW }
  const { sessionId } = await one.request<New>('session/new', { cwd: home, mcpServers: [] })
  await one.request('session/prompt', { sessionId, prompt: words('run echo hello') })
  assert.ok(JSON.stringify(one.updates).includes('hello'))
  one.updates.length = 0
  one.request('session/prompt', { sessionId, prompt: words('run sleep 60') }).catch(() => {})
  await one.until(({ status }) => status === 'in_progress')
  first.kill('SIGKILL')
  await once(first, 'exit')

  const second = startServer(home)
  const two = await connectClient(second.stdout!, second.stdin!)
  two.answers = { 'session/request_permission': () => ALLOW }
  const params = { sessionId, cwd: home, mcpServers: [] }
  await two.request('session/load', params)
  const status = new Map<unknown, unknown>()
  for (const update of two.updates) {
    if (update.sessionUpdate.startsWith('tool_call'))
      status.set(update['toolCallId'], update['status'])
  }
  assert.deepEqual([...status.values()].sort(), ['completed', 'failed'])
  await two.request('session/prompt', { sessionId, prompt: words('run echo again') })
  const found = await two.request<{ hits: unknown[] }>('_reprise/session/search', {
    query: 'hello',
  })
  assert.ok(found.hits.length > 0)
  two.leave()
  assert.deepEqual(await once(second, 'exit'), [0, null])
  assert.deepEqual([one.faults, two.faults], [[], []])
  await rm(home, { recursive: true, force: true })
})

it('on a port nobody is served without the token', async () => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const server = startServer(home, ['--port', '0', '--allow-all'], { REPRISE_TOKEN: 'open sesame' })
  const lines = createInterface(server.stdout!)
  const [line] = (await once(lines, 'line')) as [string]
  const port = Number(/listening on port (\d+)/.exec(line)![1])
  const client = async (meta: object) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return connectClient(socket, socket, {}, meta)
  }
  const stranger = await client({ reprise: { token: 'wrong' } })
  await assert.rejects(
    stranger.request('session/list'),
    (error: { code?: number }) => error.code === -32000,
  )
  await assert.rejects(
    stranger.request('authenticate', { methodId: 'token', _meta: { reprise: { token: 'x' } } }),
    (error: { code?: number }) => error.code === -32602,
  )
  await stranger.request('authenticate', {
    methodId: 'token',
    _meta: { reprise: { token: 'open sesame' } },
  })
  assert.deepEqual(await stranger.request('session/list'), { sessions: [] })
  const friend = await client({ reprise: { token: 'open sesame' } })
  const { sessionId } = await friend.request<New>('session/new', { cwd: home, mcpServers: [] })
  await friend.request('session/prompt', { sessionId, prompt: words('run echo hello') })
  assert.deepEqual([stranger.faults, friend.faults], [[], []])
  server.kill('SIGTERM')
  assert.deepEqual(await once(server, 'exit'), [0, null])
  await rm(home, { recursive: true, force: true })
})

it('the models of the endpoint are offered, and a request that is made again is told to any client', async () => {
  const asked: string[] = []
  const endpoint = createServer(async (request, response) => {
    if (request.url === '/v1/models') return response.end('{"data":[{"id":"b"},{"id":"a"}]}')
    const { model } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      model: string
    }
    asked.push(model)
    response.statusCode = asked.length === 1 ? 503 : 400
    response.end('{"error":{"message":"not now"}}')
  })
  await once(endpoint.listen(0, '127.0.0.1'), 'listening')
  const { port } = endpoint.address() as AddressInfo
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const server = startServer(home, ['--agent', 'model'], {
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_API_KEY: 'k',
    REPRISE_MODEL: 'a',
  })
  const client = await connectClient(server.stdout!, server.stdin!)
  type Begun = New & { configOptions: { id: string; options: { value: string }[] }[] }
  const begun = await client.request<Begun>('session/new', { cwd: home, mcpServers: [] })
  const { sessionId, configOptions } = begun
  assert.deepEqual(
    configOptions.find(({ id }) => id === 'model')?.options.map(({ value }) => value),
    ['default', 'a', 'b'],
  )
  const chosen = { sessionId, configId: 'model', value: 'b' }
  await client.request('session/set_config_option', chosen)
  await client.request('session/prompt', { sessionId, prompt: words('hello') }).catch(() => {})
  assert.deepEqual(asked.slice(0, 2), ['b', 'b'])
  const thought = client.updates.find((each) => each.sessionUpdate === 'agent_thought_chunk')
  assert.match(JSON.stringify(thought), /No answer yet: retry 1 of 5 \(503/)
  server.stdin!.end()
  await once(server, 'exit')
  endpoint.close()
  await rm(home, { recursive: true, force: true })
})

it('what lies outside of the project is read when the editor says yes, and not before', async () => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const project = await mkdtemp(join(tmpdir(), 'reprise-acp-project-'))
  await writeFile(join(home, 'outside.txt'), 'kookaburra')
  await writeFile(join(project, 'inside.txt'), 'wallaby')
  const server = startServer(home)
  const client = await connectClient(server.stdout!, server.stdin!)
  let asked = 0
  client.answers = { 'session/request_permission': () => ((asked += 1), REJECT) }
  const { sessionId } = await client.request<New>('session/new', { cwd: project, mcpServers: [] })
  await client.request('session/prompt', { sessionId, prompt: words('read inside.txt') })
  assert.equal(asked, 0)
  const prompt = words(`read ${join(home, 'outside.txt')}`)
  await client.request('session/prompt', { sessionId, prompt })
  assert.equal(asked, 1)
  const told = JSON.stringify(client.updates)
  assert.deepEqual([told.includes('wallaby'), told.includes('kookaburra')], [true, false])
  client.leave()
  await once(server, 'exit')
  await rm(home, { recursive: true, force: true })
  await rm(project, { recursive: true, force: true })
})

const REJECT = { outcome: { outcome: 'selected', optionId: 'reject' } }

/** What an editor and its agent say to each other and we do not know goes through as it is, both ways. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { connectClient, startServer, type TestClient } from './place.ts'

const AGENT = `"${process.execPath}" "${join(import.meta.dirname, 'odd-agent.ts')}"`

async function open() {
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const server = startServer(home, ['--allow-all', '--agent', AGENT])
  const client = await connectClient(server.stdout!, server.stdin!)
  return {
    home,
    client,
    async [Symbol.asyncDispose]() {
      client.leave()
      if (server.exitCode === null) await new Promise((ended) => server.once('exit', ended))
      await rm(home, { recursive: true, force: true })
    },
  }
}

const newSession = (client: TestClient, cwd: string, more = {}) =>
  client.request<{ sessionId: string }>('session/new', { cwd, mcpServers: [], ...more })

it('requests, notifications, updates and fields of both sides arrive unchanged', async () => {
  await using place = await open()
  const { client, home } = place
  client.answers = { '_odd/ask': (params) => ({ because: params, odd: [true] }) }
  const server = { name: 'files', command: '/bin/true', args: [], env: [] }
  const { sessionId } = await newSession(client, home, {
    mcpServers: [server],
    _meta: { editor: { theme: 'dark' } },
  })
  const prompt = [
    { type: 'text', text: 'Hi', annotations: { audience: ['assistant'] } },
    { type: 'resource_link', uri: 'file:///a.ts', name: 'a.ts', size: 3 },
  ]
  const result = await client.request<Record<string, unknown>>('session/prompt', {
    sessionId,
    prompt,
    _meta: { traceparent: '00-1-2-01' },
  })
  assert.equal(result['stopReason'], 'max_tokens')
  assert.equal(result['odd'], 6)
  assert.equal((result['_meta'] as { odd: number }).odd, 7)

  const chunk = client.wire.find((each) => each.sessionUpdate === 'agent_message_chunk')
  const { content, _meta } = chunk as unknown as {
    content: { text: string; annotations: unknown }
    _meta: unknown
  }
  assert.deepEqual([content.annotations, _meta], [{ odd: 1 }, { odd: 5 }])
  const heard = JSON.parse(content.text) as Record<string, Record<string, unknown>>
  assert.deepEqual(heard['opened'], {
    cwd: home,
    mcpServers: [server],
    _meta: { editor: { theme: 'dark' } },
  })
  assert.deepEqual(heard['params'], {
    sessionId: 'inner-1',
    prompt,
    _meta: { traceparent: '00-1-2-01' },
  })
  assert.deepEqual(heard['answer'], { because: { question: 'why', sessionId }, odd: [true] })

  assert.deepEqual(
    client.wire.find((each) => each.sessionUpdate === 'odd_update'),
    {
      sessionUpdate: 'odd_update',
      anything: { goes: true },
    },
  )
  const tool = client.wire.filter((each) => each.sessionUpdate.startsWith('tool_call'))
  const [ended] = tool.filter(({ status }) => status === 'completed')
  assert.deepEqual(
    [ended?.['kind'], ended?.['_meta'], ended?.['odd'], ended?.['odder']],
    ['odd_kind', { odd: 2 }, 3, 4],
  )
  assert.ok(tool.some(({ status, odd }) => status === 'in_progress' && odd === 3))
  assert.deepEqual(
    client.wire.find((each) => each.sessionUpdate === 'usage_update'),
    {
      sessionUpdate: 'usage_update',
      used: 10,
      size: 100,
      cost: { amount: 0.5, currency: 'USD' },
      _meta: { odd: 8 },
    },
  )
  assert.deepEqual(client.told('_odd/notice'), [{ sessionId, deep: { list: [1, null] } }])

  assert.deepEqual(await client.request('_odd/hello', { sessionId, a: [{}] }), {
    heard: { sessionId: 'inner-1', a: [{}] },
    odd: true,
  })
  assert.deepEqual(await client.request('_odd/hello', { b: 1 }), { heard: { b: 1 }, odd: true })
  await assert.rejects(client.request('_odd/nothing', { sessionId }), /never heard of it/)
  client.notify('_odd/poke', { sessionId, x: 1 })
  await client.toldOnce('_odd/poked')
  assert.deepEqual(client.told('_odd/poked'), [{ sessionId, x: 1 }])
})

it('an agent that does not run comes up for a request of its own, and answers the first message in the same session', async () => {
  await using place = await open()
  const { client, home } = place
  const { sessionId } = await newSession(client, home, { _meta: { editor: 1 } })
  client.notify('_odd/poke', { sessionId, early: true })
  assert.deepEqual(await client.request('_odd/hello', { sessionId, a: 1 }), {
    heard: { sessionId: 'inner-1', a: 1 },
    odd: true,
  })
  assert.deepEqual(client.told('_odd/poked'), [{ sessionId, early: true }])
  await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hi' }] })
  await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'More' }] })
  const log = await readFile(logOf(home, sessionId), 'utf8')
  assert.deepEqual(restores(log), ['new'])
  assert.match(log, /\\"openings\\":1/)
  assert.doesNotMatch(log, /\\"openings\\":2/)

  await assert.rejects(client.request('_odd/die', { sessionId }))
  assert.deepEqual(await client.request('_odd/hello', {}), { heard: {}, odd: true })
  await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Again' }] })
  const now = await readFile(logOf(home, sessionId), 'utf8')
  assert.deepEqual(restores(now), ['new', 'text'])
})

const logOf = (home: string, id: string) =>
  join(home, 'sessions', 'session-state', id, 'events.jsonl')

/** How the agent came to know the conversation, each time that it was brought to. */
const restores = (log: string) =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; data: { agent?: { rung: string } } })
    .filter(({ type, data }) => type === 'session.info' && data.agent !== undefined)
    .map(({ data }) => data.agent?.rung)

it('a refusal of the editor reaches the agent, and without an agent its methods are unknown', async () => {
  await using place = await open()
  const { client, home } = place
  await assert.rejects(client.request('_odd/hello', {}), /not a method here/)
  const { sessionId } = await newSession(client, home)
  await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hi' }] })
  const said = client.wire.find((each) => each.sessionUpdate === 'agent_message_chunk')
  assert.match(JSON.stringify(said), /-32603/)
})

it('what the agent offers besides is offered, and what it warns of is kept', async () => {
  await using place = await open()
  const { client, home } = place
  const { agentCapabilities: offered } = await client.request<{
    agentCapabilities: Record<string, Record<string, unknown>>
  }>('initialize', { protocolVersion: 1, clientCapabilities: {} })
  assert.deepEqual(offered['auth'], { logout: {} })
  assert.deepEqual(offered['_meta']?.['odd'], { queues: true })
  const { additionalDirectories, systemPrompt } = offered['sessionCapabilities'] ?? {}
  assert.deepEqual([additionalDirectories, systemPrompt], [{}, undefined])
  assert.deepEqual(await client.request('logout', {}), { out: true })

  const { sessionId } = await newSession(client, home)
  await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hi' }] })
  const log = await readFile(logOf(home, sessionId), 'utf8')
  assert.match(
    log,
    /"session.warning","data":\{"warningType":"agent","message":"Odd model\\nWhy\?"/,
  )
})

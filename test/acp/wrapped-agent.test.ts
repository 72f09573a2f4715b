/** What an editor sees of the agent behind `reprise acp`: its output, its choices, its questions. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { acpAgent, type AcpOptions } from '../../src/agents/acp/acp.ts'
import { permissionAsk } from '../../src/state/asks.ts'
import { AGENT } from '../acp-agent/place.ts'
import { ALLOW, openPlace, type TestClient } from './place.ts'

async function open({
  can = '',
  lie = '',
  ...options
}: Partial<AcpOptions> & { can?: string; lie?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-wrapped-'))
  const agent = acpAgent({
    name: 'scripted',
    command: process.execPath,
    args: ['--no-warnings', AGENT, '--can', can, '--lie', lie],
    env: { HOME: folder, SCRIPTED_TRACE: join(folder, 'trace') },
    ...options,
  })
  const place = await openPlace({ agent })
  return {
    ...place,
    folder,
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const begin = async (client: TestClient, cwd: string) =>
  client.request<Record<string, unknown> & { sessionId: string }>('session/new', {
    cwd,
    mcpServers: [],
  })

const prompt = (client: TestClient, sessionId: string, text: string) =>
  client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })

const said = ({ updates }: TestClient) =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => (content as { text: string }).text)
    .join('')

test('what a terminal of the agent writes is told as it comes, kept, and replayed', async () => {
  await using place = await open()
  const client = await place.connect()
  client.answers = { 'session/request_permission': () => ALLOW }
  const { sessionId } = await begin(client, place.folder)
  await prompt(client, sessionId, 'Go <<own-terminal>><<say done>>')
  const texts = client.updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update')
    .map((update) => JSON.stringify(update['content'] ?? ''))
  assert.ok(texts.some((text) => text.includes('one\\n') && !text.includes('two')))
  assert.ok(client.wire.some(({ _meta }) => JSON.stringify(_meta) === '{"odd":{"kept":true}}'))
  const { events } = await (await place.engine.open(sessionId as never)).events()
  const end = events.find(({ type }) => type === 'tool.execution_complete')
  const { result, shellExecution } = (end?.data ?? {}) as {
    result: { content: string }
    shellExecution: unknown
  }
  assert.deepEqual([result.content, shellExecution], ['one\ntwo', { exitCode: 3 }])
  client.updates.length = 0
  await client.request('session/load', { sessionId, cwd: place.folder, mcpServers: [] })
  assert.match(JSON.stringify(client.updates), /one\\\\ntwo|one\\ntwo/)
})

test('a plan is put to the person with the answers of the agent, and the one that was chosen reaches it', async () => {
  await using place = await open({ can: 'modes' })
  const client = await place.connect()
  const { sessionId } = await begin(client, place.folder)
  await client.request('session/set_mode', { sessionId, modeId: 'plan' })
  const asked: { options: { name: string }[] }[] = []
  client.answers = {
    'session/request_permission': (params) => {
      asked.push(params)
      return { outcome: { outcome: 'selected', optionId: 'freely' } }
    },
  }
  await prompt(client, sessionId, '<<end-plan>>')
  assert.deepEqual(
    asked.map(({ options }) => options.map(({ name }) => name)),
    [['Yes, and ask for edits', 'Yes, and do not ask', 'No, keep planning']],
  )
  assert.match(said(client), /"optionId":"freely"/)
  const session = await place.engine.open(sessionId as never)
  assert.equal((await session.state()).mode, 'interactive')
  for (const where of ['beside', 'before', 'after']) {
    await client.request('session/set_mode', { sessionId, modeId: 'plan' })
    await prompt(client, sessionId, `<<end-plan ${where}>>`)
  }
  const bodies = (await session.events()).events.flatMap((event) =>
    event.type === 'permission.requested' ? [permissionAsk(event.data as never, true)] : [],
  )
  const shown = { what: 'leave plan mode', body: 'Do it.', isPlan: true }
  assert.partialDeepStrictEqual(bodies, [shown, shown, shown, shown])
})

test('nothing else is asked in plan mode, and without a person a plan is not left', async () => {
  await using place = await open({ can: 'modes' })
  const client = await place.connect()
  const { sessionId } = await begin(client, place.folder)
  await client.request('session/set_mode', { sessionId, modeId: 'plan' })
  client.answers = {}
  await prompt(client, sessionId, '<<end-plan>>')
  assert.match(said(client), /"optionId":"stay"/)
  assert.equal((await (await place.engine.open(sessionId as never)).state()).mode, 'plan')
})

test('the agent offers its own modes, models and options, and ours stand beside them under other names', async () => {
  await using place = await open({ can: 'modes,models,options' })
  const client = await place.connect()
  const { sessionId, ...choices } = await begin(client, place.folder)
  const { modes, configOptions } = choices as unknown as {
    modes: { currentModeId: string; availableModes: { id: string; name: string }[] }
    configOptions: { id: string; currentValue: string }[]
  }
  assert.equal(modes.currentModeId, 'build')
  assert.deepEqual(
    modes.availableModes.map(({ id, name }) => `${id} ${name ?? ''}`.trim()),
    ['build', 'plan', 'interactive Reprise: Ask', 'autopilot Reprise: Autopilot'],
  )
  assert.deepEqual(
    configOptions.map(({ id, currentValue }) => [id, currentValue]),
    [
      ['mode', 'build'],
      ['model', 'small'],
      ['effort', 'low'],
      ['reprise:mode', 'interactive'],
    ],
  )
  const set = (configId: string, value: string) =>
    client.request<{ configOptions: { id: string; currentValue: string }[] }>(
      'session/set_config_option',
      { sessionId, configId, value },
    )
  const after = await set('effort', 'high')
  assert.equal(after.configOptions.find(({ id }) => id === 'effort')?.currentValue, 'high')
  await set('model', 'large')
  const session = await place.engine.open(sessionId as never)
  await assert.rejects(set('effort', 'much'))
  await prompt(client, sessionId, '<<say hello>>')
  assert.equal((await session.state()).model, 'large')
  const trace = await readFile(join(place.folder, 'trace'), 'utf8')
  assert.match(trace, /set_config_option.*effort.*high/)
  assert.match(trace, /set_model.*large/)
})

test('models that the agent lists besides its options are offered and chosen as such', async () => {
  await using place = await open({ can: 'models,options' })
  const client = await place.connect()
  const { sessionId, ...choices } = await begin(client, place.folder)
  const { models } = choices as unknown as { models: { currentModelId: string } }
  assert.equal(models.currentModelId, 'small')
  await client.request('session/set_model', { sessionId, modelId: 'large' })
  await assert.rejects(client.request('session/set_model', { sessionId, modelId: '' }))
  assert.match(await readFile(join(place.folder, 'trace'), 'utf8'), /set_model.*large/)
  assert.equal((await (await place.engine.open(sessionId as never)).state()).model, 'large')
})

test('what was chosen in the agent is chosen again when it comes up again', async () => {
  await using place = await open({ can: 'options,load', limits: { firstRetryMs: 1 } })
  const client = await place.connect()
  const { sessionId } = await begin(client, place.folder)
  await client.request('session/set_config_option', {
    sessionId,
    configId: 'effort',
    value: 'high',
  })
  await prompt(client, sessionId, '<<say hello>><<crash>>').catch(() => {})
  await prompt(client, sessionId, '<<say again>>')
  const trace = (await readFile(join(place.folder, 'trace'), 'utf8')).split('\n')
  const chosen = trace.filter((line) => line.includes('"effort"'))
  assert.equal(chosen.length, 2)
})

test('an agent that wants a login says so as the protocol has it, and offers its ways', async () => {
  await using place = await open({ lie: 'no-login' })
  const client = await place.connect()
  const about = await client.request<{ authMethods: { id: string }[] }>('initialize', {
    protocolVersion: 1,
    clientCapabilities: {},
  })
  assert.deepEqual(
    about.authMethods.map(({ id }) => id),
    ['card'],
  )
  await assert.rejects(begin(client, place.folder), { code: -32000 })
  await client.request('authenticate', { methodId: 'card' })
  assert.match(await readFile(join(place.folder, 'trace'), 'utf8'), /"authenticate"/)
})

test('a session begins only where there is a directory, and what is not there is deleted already', async () => {
  await using place = await open()
  const client = await place.connect()
  await assert.rejects(begin(client, join(place.folder, 'nowhere')), { code: -32602 })
  const sessionId = '00000000-0000-4000-8000-000000000000'
  assert.deepEqual(await client.request('session/delete', { sessionId }), {})
})

/** The second version of the protocol, with its own SDK as the client; every message is checked against its schema. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { callTool, endTool, say, startTool, type Script } from '../support/engine.ts'
import { ALLOW, openPlace, type TestClient, type Told } from './place.ts'

const script: Script = async function* (turn) {
  if (turn.message.content === 'fail') throw new Error('The model is on holiday.')
  yield say('Let me see.')
  yield callTool('t1')
  yield startTool('t1', 'edit', { path: 'a.txt', old_str: 'a', new_str: 'b' })
  await turn.permit({
    kind: 'write',
    toolCallId: 't1',
    intention: 'Write a file',
    fileName: 'a.txt',
    diff: '+a',
    canOfferSessionApproval: true,
  })
  yield endTool('t1', 'done')
  yield say('Done.')
}

const idle = (update: Told) =>
  update.sessionUpdate === 'state_update' && update['state'] === 'idle' && 'stopReason' in update
const states = ({ wire }: TestClient) =>
  wire.flatMap((update) => (update.sessionUpdate === 'state_update' ? [update['state']] : []))
const conversation = ({ wire }: TestClient) =>
  wire.flatMap(({ sessionUpdate, messageId, toolCallId, content, status }) =>
    /message|tool_call/.test(sessionUpdate) && (messageId ?? status === 'completed')
      ? [[sessionUpdate, messageId ?? toolCallId, JSON.stringify(content)]]
      : [],
  )

it('a prompt is answered at once, the turn is told by its states, and a resume replays it', async () => {
  await using place = await openPlace({ script })
  const client = await place.connect({}, 2)
  client.answers = { 'session/request_permission': () => ALLOW }
  const { sessionId } = await client.request<{ sessionId: string }>('session/new', { cwd: '/' })
  const { messageId } = await client.request<{ messageId: string }>('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'Change it' }],
  })
  const end = await client.until(idle)
  assert.equal(end['stopReason'], 'end_turn')
  assert.deepEqual(states(client), ['idle', 'running', 'requires_action', 'running', 'idle'])
  const told = conversation(client)
  assert.deepEqual(told[0]?.slice(0, 2), ['user_message_chunk', messageId])
  assert.match(
    JSON.stringify(client.wire),
    /"changes":\[\{"operation":"modify","path":"\/a.txt"\}\]/,
  )
  assert.equal(
    client.wire.some(({ sessionUpdate }) => sessionUpdate === 'tool_call'),
    false,
  )

  const later = await place.connect({}, 2)
  const options = await later.request<{ configOptions: { configId: string }[] }>('session/resume', {
    sessionId,
    cwd: '/',
    replayFrom: { type: 'start' },
  })
  assert.deepEqual(conversation(later), told, 'the same ids, the same words')
  assert.deepEqual(states(later), ['idle'])
  assert.ok(options.configOptions.every(({ configId }) => typeof configId === 'string'))
  const { configOptions } = await later.request<{
    configOptions: { configId: string; currentValue: string }[]
  }>('session/set_config_option', { sessionId, configId: 'mode', type: 'id', value: 'plan' })
  assert.equal(configOptions.find(({ configId }) => configId === 'mode')?.currentValue, 'plan')
  assert.deepEqual([client.faults, later.faults], [[], []])
})

it('a turn that fails, or is cancelled, says so in its state', async () => {
  await using place = await openPlace({ script })
  const client = await place.connect({}, 2)
  const asked = Promise.withResolvers<void>()
  client.answers = {
    'session/request_permission': () => {
      asked.resolve()
      return new Promise(() => {})
    },
  }
  const { sessionId } = await client.request<{ sessionId: string }>('session/new', { cwd: '/' })
  const prompt = (text: string) =>
    client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  await prompt('fail')
  const failed = await client.until(idle)
  assert.equal(failed['stopReason'], 'error')
  assert.match(JSON.stringify(failed['error']), /on holiday/)
  await prompt('go on')
  await asked.promise
  client.notify('session/cancel', { sessionId })
  const cancelled = await client.until(
    (update) => idle(update) && update['stopReason'] === 'cancelled',
  )
  assert.equal(cancelled['state'], 'idle')
  assert.deepEqual(client.faults, [])
})

it('what the second version has not is unknown in it, and the first is spoken with whoever asks for it', async () => {
  await using place = await openPlace()
  const second = await place.connect({}, 2)
  const unknown = (error: { code?: number }) => error.code === -32601
  await assert.rejects(second.request('session/load', { sessionId: 'x', cwd: '/' }), unknown)
  await assert.rejects(second.request('session/set_mode', { sessionId: 'x', modeId: 'y' }), unknown)
  const first = await place.connect()
  const { protocolVersion } = await first.request<{ protocolVersion: number }>('initialize', {
    protocolVersion: 2,
    clientCapabilities: {},
  })
  assert.equal(protocolVersion, 1)
  const { sessionId } = await first.request<{ sessionId: string }>('session/new', {
    cwd: '/',
    mcpServers: [],
  })
  const replay = { sessionId, cwd: '/', replayFrom: { type: 'elsewhere' } }
  await assert.rejects(
    second.request('session/resume', replay),
    (error: { code?: number }) => error.code === -32602 || error.code === -32002,
  )
  assert.deepEqual([first.faults, second.faults], [[], []])
})

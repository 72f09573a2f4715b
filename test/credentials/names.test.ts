/** What a name stands for is never guessed: models that nobody listed, names that two have, headers for another's provider. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionConfig } from '@github/copilot-sdk'
import { ask, makeRpcPlace, portOf } from '../rpc/place.ts'
import { base } from './kinds.ts'
import { startRecorder, word, type Recorder } from './recorder.ts'

const TOKEN = 'the-door'

const both = (red: Recorder, blue: Recorder): SessionConfig => ({
  ...base,
  providers: [
    { name: 'red', type: 'openai', baseUrl: red.baseUrl, apiKey: word('red', 'key') },
    { name: 'blue', type: 'openai', baseUrl: blue.baseUrl, apiKey: word('blue', 'key') },
  ],
  models: [
    { id: 'm1', provider: 'red' },
    { id: 'same', provider: 'red' },
    { id: 'same', provider: 'blue' },
  ],
})

const UNKNOWN = /no model "m9".*Known: red\/m1, red\/same, blue\/same, own-model\./
const TWICE = /"same" is at several providers.*blue\/same or red\/same/

test('a model that nobody listed is refused with those that are known, wherever it is named', async () => {
  await using red = await startRecorder('red')
  await using blue = await startRecorder('blue')
  await using own = await startRecorder('own')
  await using place = makeRpcPlace()
  Object.assign(place.env, {
    REPRISE_AGENT: 'model',
    REPRISE_MODEL: 'own-model',
    OPENAI_BASE_URL: own.baseUrl,
    OPENAI_API_KEY: word('own', 'key'),
  })
  const client = place.client()
  const config = both(red, blue)
  await assert.rejects(client.createSession({ ...config, model: 'm9' }), UNKNOWN)
  await assert.rejects(client.createSession({ ...config, model: 'same' }), TWICE)
  const session = await client.createSession({ ...config, model: 'red/m1' })
  const { sessionId } = session
  await assert.rejects(session.setModel('m9'), UNKNOWN)
  await assert.rejects(session.setModel('same'), TWICE)
  await assert.rejects(ask(client, 'session.options.update', { sessionId, model: 'm9' }), UNKNOWN)
  assert.equal((await session.rpc.model.getCurrent()).modelId, 'red/m1')
  assert.deepEqual([red.count, blue.count, own.count], [0, 0, 0])

  await session.setModel('own-model')
  assert.equal((await session.sendAndWait('Hi'))?.data.content, 'answer of own')
  assert.deepEqual(own.heard(), [word('own', 'key')])
  await assert.rejects(client.resumeSession(sessionId, { ...config, model: 'm9' }), UNKNOWN)
})

test('a model that a session had and no provider of its new client has is refused, and nothing is sent', async () => {
  await using red = await startRecorder('red')
  await using blue = await startRecorder('blue')
  await using place = makeRpcPlace()
  const client = place.client()
  const session = await client.createSession({ ...both(red, blue), model: 'red/m1' })
  await session.sendAndWait('Hi')
  red.heard()
  await session.disconnect()
  const again = await client.resumeSession(session.sessionId, {
    ...base,
    providers: [{ name: 'blue', type: 'openai', baseUrl: blue.baseUrl }],
    models: [{ id: 'same', provider: 'blue' }],
  })
  await assert.rejects(again.sendAndWait('Hi'), /no model "red\/m1".*Known: blue\/same\./)
  assert.deepEqual([red.count, blue.count], [0, 0])
})

test('headers that a client sends along do not go to a provider that another client brought', async () => {
  await using red = await startRecorder('red')
  await using place = makeRpcPlace()
  const client = place.tcpClient(TOKEN)
  await client.start()
  const provider = { type: 'openai' as const, baseUrl: red.baseUrl }
  const session = await client.createSession({ ...base, model: 'm', provider })
  const other = place.join(portOf(client), TOKEN)
  const joined = await other.resumeSession(session.sessionId, base)
  const requestHeaders = { 'x-turn': word('blue', 'message') }
  await assert.rejects(
    joined.sendAndWait({ prompt: 'Hi', requestHeaders }),
    /which another client brought; your headers do not go there\. Nothing was sent\./,
  )
  assert.equal(red.count, 0)
  const both = { ...base, provider, providers: [{ name: 'red', ...provider }] } as SessionConfig
  await assert.rejects(client.createSession(both), /Cannot specify both provider and providers/)
})

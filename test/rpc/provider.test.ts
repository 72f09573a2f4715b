/** What a client says of the provider that it brings: headers, Azure, several providers, by the real SDK. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { approveAll, type SessionConfig } from '@github/copilot-sdk'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl, apiKey: 'key', headers: { 'X-Team': 'blue', 'X-Too': '1' } },
})

const systemIn = (model: ModelServer, nth: number): string => {
  const said = model.requests[nth]?.body['messages'] as { role: string; content: string }[]
  return said.find(({ role }) => role === 'system')?.content ?? ''
}

test('headers of a turn go with all of its calls, over those of the session, and are never stored', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'bash', arguments: { command: 'true' } }] },
    { text: 'a' },
    { text: 'b' },
  ])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  await session.sendAndWait({ prompt: 'Hi', requestHeaders: { 'x-team': 'red', 'X-Turn': 'one' } })
  await session.sendAndWait('Hi')
  const sent = model.requests.map(({ headers }) => [
    headers['x-team'],
    headers['x-too'],
    headers['x-turn'],
  ])
  assert.deepEqual(sent, [
    ['red', '1', 'one'],
    ['red', '1', 'one'],
    ['blue', '1', undefined],
  ])
  assert.doesNotMatch(JSON.stringify(await session.getEvents()), /X-Turn/i)
  await assert.rejects(
    session.send({ prompt: 'Hi', requestHeaders: { 'X-Turn': 'one\r\nX-Other: two' } }),
    /requestHeaders\.X-Turn/,
  )
})

test('Azure is reached at its own addresses, by the name of the deployment, with its own header', async () => {
  await using model = await startModelServer(() => ({ text: 'Yes.' }))
  await using place = makeRpcPlace()
  const client = place.client()
  const baseUrl = new URL(model.baseUrl).origin
  const say = async (provider: Partial<NonNullable<SessionConfig['provider']>>) =>
    (
      await client.createSession({
        onPermissionRequest: approveAll,
        model: 'gpt-5',
        provider: { type: 'azure', baseUrl, apiKey: 'azure-key', ...provider },
      })
    ).sendAndWait('Hi')
  await say({})
  await say({ wireModel: 'my deployment', azure: { apiVersion: '2025-01-01' } })
  await say({ wireApi: 'responses', azure: { apiVersion: '2025-04-01' }, bearerToken: 'entra' })
  await say({ wireApi: 'responses' })
  const asked = model.requests.map(({ url, headers, body }) => [
    url,
    body['model'],
    headers['api-key'],
    headers['authorization'],
  ])
  assert.deepEqual(asked, [
    ['/openai/v1/chat/completions', 'gpt-5', 'azure-key', undefined],
    [
      '/openai/deployments/my%20deployment/chat/completions?api-version=2025-01-01',
      'my deployment',
      'azure-key',
      undefined,
    ],
    ['/openai/responses?api-version=2025-04-01', 'gpt-5', undefined, 'Bearer entra'],
    ['/openai/v1/responses', 'gpt-5', 'azure-key', undefined],
  ])
})

test('a session with several providers uses the one of its model, also after a switch and a resume', async () => {
  await using one = await startModelServer([{ text: 'one' }, { text: 'one again' }])
  await using two = await startModelServer([{ text: 'two' }])
  await using place = makeRpcPlace()
  const client = place.client()
  const brought: SessionConfig = {
    onPermissionRequest: approveAll,
    providers: [
      { name: 'one', baseUrl: one.baseUrl },
      { name: 'two', baseUrl: two.baseUrl },
    ],
    models: [
      { id: 'small', provider: 'one', wireModel: 'small-2' },
      { id: 'small', provider: 'two' },
    ],
  }
  const session = await client.createSession({ ...brought, model: 'two/small' })
  const { list } = await session.rpc.model.list()
  assert.deepEqual(
    list.map((each) => (each as { id: string }).id),
    ['one/small', 'two/small'],
  )
  assert.equal((await session.sendAndWait('Hi'))?.data.content, 'two')
  await session.setModel('one/small')
  assert.equal((await session.sendAndWait('Hi'))?.data.content, 'one')
  await session.disconnect()
  const again = await client.resumeSession(session.sessionId, brought)
  assert.equal((await again.sendAndWait('Hi'))?.data.content, 'one again')
  const wire = [...two.requests, ...one.requests].map(({ body }) => body['model'])
  assert.deepEqual(wire, ['small', 'small-2', 'small-2'])
})

test('sections of the system prompt are rewritten by callbacks; one that fails leaves its section', async () => {
  await using model = await startModelServer([{ text: 'a' }, { text: 'b' }])
  await using place = makeRpcPlace()
  await writeFile(join(place.project, 'AGENTS.md'), 'Use tabs.')
  const client = place.client()
  const seen: string[] = []
  const session = await client.createSession({
    ...config(model),
    systemMessage: {
      mode: 'customize',
      sections: {
        identity: {
          action: (text) => {
            seen.push(text)
            return text.replace('a coding agent', 'a gardener')
          },
        },
        guidelines: {
          action: () => {
            throw new Error('no')
          },
        },
        tone: { action: (text) => `${text}Softly.` },
        environment_context: { action: 'remove' },
      },
    },
  })
  await session.sendAndWait('Hi')
  assert.match(seen[0] ?? '', /^You are a coding agent/)
  assert.match(systemIn(model, 0), /^You are a gardener[^]*Work like this[^]*Use tabs[^]*Softly\.$/)
  assert.doesNotMatch(systemIn(model, 0), /Working directory/)

  const plain = await client.createSession({ ...config(model), skipCustomInstructions: true })
  await plain.sendAndWait('Hi')
  assert.match(systemIn(model, 1), /Working directory/)
  assert.doesNotMatch(systemIn(model, 1), /Use tabs/)
})

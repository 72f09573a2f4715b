/** The tools of a session through the real SDK: replaced, run without the model, and given to sub-agents of sub-agents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAll, defineTool, type SessionConfig } from '@github/copilot-sdk'
import { z } from 'zod'
import type { Asked, Reply } from '../model-server/reply.ts'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl },
})

const namesOf = (asked: Asked | undefined): string[] =>
  ((asked?.body['tools'] ?? []) as readonly { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  )

test('a tool runs without the model: asked for, recorded, with its result; tools of clients too', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const asked: string[] = []
  const mine = defineTool('mine', {
    description: 'My own',
    parameters: z.object({ n: z.number() }),
    handler: ({ n }) => `got ${n}`,
  })
  const session = await place.client().createSession({
    ...config(model),
    tools: [mine],
    onPermissionRequest: (request) => {
      asked.push(request.kind)
      return request.kind === 'shell' && JSON.stringify(request).includes('rm ')
        ? { kind: 'reject', feedback: 'not that' }
        : { kind: 'approve-once' }
    },
  })
  const { tools } = session.rpc
  await tools.initializeAndValidate()
  const shell = await tools.execute({ name: 'bash', arguments: { command: 'echo hello' } })
  assert.deepEqual(shell, {
    textResultForLlm: 'hello',
    resultType: 'success',
    sessionLog: 'hello',
  })
  const own = await tools.execute({ name: 'mine', arguments: { n: 7 } })
  assert.ok(typeof own !== 'string')
  assert.deepEqual([own.resultType, own.textResultForLlm], ['success', 'got 7'])
  const denied = await tools.execute({ name: 'bash', arguments: { command: 'rm -r x' } })
  assert.ok(typeof denied !== 'string')
  assert.equal(denied.resultType, 'denied')
  assert.match(denied.textResultForLlm, /not that/)
  const none = await tools.execute({ name: 'nosuch', arguments: {} })
  assert.ok(typeof none !== 'string')
  assert.match(none.textResultForLlm, /no tool nosuch/)
  assert.deepEqual(asked, ['shell', 'custom-tool', 'shell'])
  assert.deepEqual(model.requests, [])
  const ran = (await session.getEvents()).filter(({ type }) => type === 'tool.execution_complete')
  assert.equal(ran.length, 4)
})

test('a client replaces its own tools, and the next message has them', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const tool = (name: string) => ({ name, description: name, parameters: { type: 'object' } })
  const session = await place.client().createSession({
    ...config(model),
    tools: [defineTool('before', { description: 'b', handler: () => '' })],
  })
  const updated = nextEvent(session, 'session.tools_updated')
  await session.rpc.tools.set({ tools: [tool('after')] })
  await updated
  await session.sendAndWait('hi')
  const names = namesOf(model.requests.at(-1))
  assert.deepEqual([names.includes('before'), names.includes('after')], [false, true])
})

test('only allowed models can be chosen, and one that is not gives way', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  const { model: choice } = session.rpc
  const changed = nextEvent(session, 'session.model_change')
  const set = await choice.setAllowedModels({ allowedModels: ['other', 'gpt-*'] })
  assert.deepEqual([set.modelId, set.fallbackModel], ['other', 'other'])
  await changed
  await assert.rejects(choice.switchTo({ modelId: 'test-model' }), /not allowed by policy/)
  await choice.switchTo({ modelId: 'gpt-9' })
  assert.equal((await choice.getCurrent()).modelId, 'gpt-9')
  await assert.rejects(choice.setAllowedModels({ allowedModels: [] }), /at least one/)
  await choice.setAllowedModels({ allowedModels: null })
  await choice.switchTo({ modelId: 'test-model' })
  await session.sendAndWait('hi')
  assert.equal(model.requests.at(-1)?.body['model'], 'test-model')
})

test('sub-agents give tasks to some of their own, as deep and as many as the settings allow', async () => {
  const task = (prompt: string): Reply => ({
    calls: [
      { name: 'task', arguments: { description: 'd', prompt, agent_type: 'general-purpose' } },
    ],
  })
  const say = (asked: Asked): Reply => {
    const messages = asked.body['messages'] as readonly { role: string; content: string }[]
    const { content: first = '' } = messages.find(({ role }) => role === 'user') ?? {}
    const isAnswered = messages.at(-1)?.role === 'tool'
    const told = messages.at(-1)?.content ?? ''
    if (first === 'go') return isAnswered ? { text: `end: ${told}` } : task('DEEP')
    if (first === 'DEEP' && namesOf(asked).includes('task'))
      return isAnswered ? { text: `deep: ${told}` } : task('DEEPER')
    return { text: `leaf with ${String(asked.body['model'])}` }
  }
  await using model = await startModelServer(say)
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  const answer = await session.sendAndWait('go')
  assert.equal(answer?.data.content, 'end: deep: leaf with test-model')
  const started = (await session.getEvents()).flatMap((event) =>
    event.type === 'subagent.started' ? [{ id: event.agentId, parent: event.data.parentId }] : [],
  )
  assert.deepEqual(started, [
    { id: started[0]?.id, parent: undefined },
    { id: started[1]?.id, parent: started[0]?.id },
  ])
  const settings = session.rpc.tools.updateSubagentSettings
  await settings({
    subagents: { maxDepth: 1, agents: { 'general-purpose': { model: 'small' } } },
  })
  assert.equal((await session.sendAndWait('go'))?.data.content, 'end: leaf with small')
  await settings({ subagents: { disabledSubagents: ['general-purpose'] } })
  const refused = await session.sendAndWait('go')
  assert.match(refused?.data.content ?? '', /agent_type/)
  await settings({ subagents: null })
  assert.match((await session.sendAndWait('go'))?.data.content ?? '', /^end: deep/)
})

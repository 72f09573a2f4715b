/** Custom agents and sub-agents through the real SDK: what it sets has its effect on requests and can be read back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAll, type SessionConfig } from '@github/copilot-sdk'
import { deferred } from '../../src/lib/deferred.ts'
import type { Asked, Reply } from '../model-server/reply.ts'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl },
})

const reviewer = {
  name: 'reviewer',
  displayName: 'The Reviewer',
  description: 'reviews',
  prompt: 'MARK ONE',
  tools: ['view', 'bash'],
}

const namesOf = (asked: Asked | undefined): string[] =>
  ((asked?.body['tools'] ?? []) as readonly { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  )
const saidTo = (asked: Asked | undefined): string => JSON.stringify(asked?.body['messages'])

test('a custom agent is chosen, answers with its words and tools, is given other words, and is let go', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const client = place.client()
  const session = await client.createSession({
    ...config(model),
    agent: 'reviewer',
    customAgents: [reviewer],
    defaultAgent: { excludedTools: ['bash'] },
  })
  const info = {
    name: 'reviewer',
    id: 'reviewer',
    displayName: 'The Reviewer',
    description: 'reviews',
    tools: ['view', 'bash'],
  }
  assert.deepEqual(await session.rpc.agent.getCurrent(), { agent: info })
  assert.deepEqual(await session.rpc.agent.list({}), { agents: [info] })
  await session.sendAndWait('one')
  assert.deepEqual(namesOf(model.requests.at(-1)), ['bash', 'view'])
  assert.match(saidTo(model.requests.at(-1)), /MARK ONE/)

  await session.rpc.agent.setPrompt({ id: 'reviewer', prompt: 'MARK TWO' })
  await session.sendAndWait('two')
  assert.match(saidTo(model.requests.at(-1)), /MARK TWO/)
  assert.deepEqual(namesOf(model.requests.at(-1)), ['bash', 'view'])

  await session.rpc.agent.deselect()
  assert.deepEqual(await session.rpc.agent.getCurrent(), { agent: null })
  await session.sendAndWait('three')
  assert.doesNotMatch(saidTo(model.requests.at(-1)), /MARK/)
  assert.ok(!namesOf(model.requests.at(-1)).includes('bash'))
  assert.ok(namesOf(model.requests.at(-1)).includes('task'))

  const updated = nextEvent(session, 'session.custom_agents_updated')
  await session.rpc.agent.reload()
  assert.equal((await updated).type, 'session.custom_agents_updated')
  assert.deepEqual(
    (await session.getEvents()).flatMap(({ type }) => (type.startsWith('subagent.') ? [type] : [])),
    ['subagent.selected', 'subagent.deselected'],
  )
  await assert.rejects(session.rpc.agent.select({ name: 'nope' }), /Custom agent 'nope' not found/)
  await assert.rejects(
    client.createSession({ ...config(model), agent: 'nope' }),
    /Custom agent 'nope' not found/,
  )
})

test('tasks are set to work, listed, spoken with, sent to the background, stopped and removed', async () => {
  const gate = deferred<void>()
  const started = deferred<void>()
  const say = async (asked: Asked): Promise<Reply> => {
    const text = saidTo(asked)
    if (text.includes('"user","content":"HANG')) {
      started.resolve()
      await gate.promise
      return { text: 'late' }
    }
    if (text.includes('"user","content":"LOOK'))
      return { text: text.includes('MORE') ? 'second' : 'first' }
    if (text.includes('begin') && !text.includes('call-1'))
      return {
        calls: [
          {
            name: 'task',
            id: 'call-1',
            arguments: { name: 'slow', description: 'hangs', prompt: 'HANG', agent_type: 'task' },
          },
        ],
      }
    return { text: 'heard' }
  }
  await using model = await startModelServer(say)
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  const { tasks } = session.rpc

  const { agentId } = await tasks.startAgent({
    agentType: 'explore',
    prompt: 'LOOK',
    name: 'looker',
    description: 'looks',
  })
  await tasks.waitForPending()
  const only = async () => (await tasks.list()).tasks.find(({ id }) => id === agentId)
  const known = await only()
  assert.ok(known?.type === 'agent')
  assert.deepEqual(
    [known.status, known.displayName, known.prompt, known.latestResponse, known.agentType],
    ['idle', 'looker', 'LOOK', 'first', 'explore'],
  )
  // The agent of the session heard what came of it.
  assert.match(saidTo(model.requests.at(-1)), /agent_idle.*looker.*\[Turn 0\]\\nfirst/)
  assert.deepEqual(await tasks.sendMessage({ id: agentId, message: 'MORE' }), { sent: true })
  await tasks.waitForPending()
  const again = await only()
  assert.ok(again?.type === 'agent')
  assert.deepEqual([again.prompt, again.latestResponse], ['MORE', 'second'])

  const idle = nextEvent(session, 'session.idle')
  await session.send('begin')
  await started.promise
  const { task } = await tasks.getCurrentPromotable()
  assert.ok(task?.type === 'agent')
  assert.deepEqual([task.status, task.executionMode], ['running', 'sync'])
  assert.equal((await tasks.promoteCurrentToBackground()).task?.id, task.id)
  await nextEvent(session, 'assistant.idle')
  assert.match(saidTo(model.requests.at(-1)), /sent to the background/)
  assert.deepEqual(await tasks.remove({ id: task.id }), { removed: false })
  assert.deepEqual(await tasks.cancel({ id: task.id }), { cancelled: true })
  await idle
  const stopped = (await tasks.list()).tasks.find(({ id }) => id === task.id)
  assert.equal(stopped?.status, 'cancelled')
  assert.deepEqual(await tasks.remove({ id: task.id }), { removed: true })
  assert.equal((await tasks.list()).tasks.length, 1)
  assert.deepEqual(await tasks.cancel({ id: 'nope' }), { cancelled: false })
  await assert.rejects(
    tasks.startAgent({ agentType: 'nope', prompt: 'x', name: 'x' }),
    /Unknown agent type: nope\. Valid types: explore/,
  )
  gate.resolve()
})

test('a sub-agent is told by the name that its author gave it, and by the model that answered', async () => {
  const say = (asked: Asked): Reply => {
    if (saidTo(asked).includes('MARK ONE')) return { text: 'reviewed' }
    if (saidTo(asked).includes('reviewed')) return { text: 'end' }
    const args = { name: 'r', description: 'd', prompt: 'look', agent_type: 'reviewer' }
    return { calls: [{ name: 'task', arguments: { ...args, mode: 'sync' } }] }
  }
  await using model = await startModelServer(say)
  await using place = makeRpcPlace()
  const told: unknown[] = []
  const session = await place.client().createSession({
    ...config(model),
    customAgents: [reviewer],
    onEvent: ({ type, data }) => {
      if (type === 'subagent.started' || type === 'subagent.completed')
        told.push([type, data.agentName, data.agentDisplayName, data.model])
    },
  })
  await session.sendAndWait('go')
  assert.deepEqual(told, [
    ['subagent.started', 'reviewer', 'The Reviewer', 'test-model'],
    ['subagent.completed', 'reviewer', 'The Reviewer', 'test-model'],
  ])
})

test('what cannot be honoured is refused or named in one warning', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const client = place.client()
  await assert.rejects(
    client.createSession({ ...config(model), gitHubToken: 'x' }),
    /Cannot specify both gitHubToken and provider/,
  )
  await assert.rejects(
    client.createSession({ ...config(model), sessionLimits: { maxAiCredits: 50 } }),
    /AI credits are not counted here.*Nothing was changed/,
  )
  await assert.rejects(
    client.createSession({ ...config(model), managedSettings: {} }),
    /restrictions of an organisation are not enforced here/,
  )
  const warned: string[] = []
  await client.createSession({
    gitHubToken: 'x',
    onEvent: ({ type, data }) => {
      if (type === 'session.warning') warned.push(data.message)
    },
  })
  await client.ping()
  assert.equal(warned.length, 1)
  assert.match(warned[0] ?? '', /^Not honoured here: gitHubToken/)
})

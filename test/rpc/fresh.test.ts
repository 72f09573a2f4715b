/** What is set on a session that has written nothing can be read back, is told at once, and is written under the same ids. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { approveAll, type SessionEvent, type SessionHooks } from '@github/copilot-sdk'
import { makeRpcPlace, type RpcPlace } from './place.ts'

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type)
const isKept = ({ ephemeral }: SessionEvent) => ephemeral !== true

const logOf = (place: RpcPlace, id: string): SessionEvent[] =>
  readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SessionEvent)

test('a fresh session says what was chosen for it, tells it at once, and writes nothing', async () => {
  await using place = makeRpcPlace()
  const client = place.client()
  await client.start()
  const lives: string[] = []
  client.onLifecycle(({ type }) => lives.push(type))
  const told: SessionEvent[] = []
  const session = await client.createSession({
    model: 'one',
    onPermissionRequest: approveAll,
    onEvent: (event) => told.push(event),
  })
  const { rpc } = session
  assert.deepEqual(await rpc.model.getCurrent(), { modelId: 'one' })
  await rpc.mode.set({ mode: 'plan' })
  assert.equal(await rpc.mode.get(), 'plan')
  await session.setModel('two')
  await rpc.model.setReasoningEffort({ reasoningEffort: 'high' })
  assert.deepEqual(await rpc.model.getCurrent(), { modelId: 'two', reasoningEffort: 'high' })
  const { currentMode, selectedModel } = await rpc.metadata.snapshot()
  assert.deepEqual([currentMode, selectedModel], ['plan', 'two'])

  const events = await session.getEvents()
  const types = [
    'session.start',
    'session.mode_changed',
    'session.model_change',
    'session.model_change',
  ]
  assert.deepEqual(typesOf(events), types)
  assert.deepEqual(told.filter(isKept), events)
  assert.deepEqual(
    events.map(({ parentId }) => parentId),
    [null, ...events.slice(0, -1).map(({ id }) => id)],
  )
  assert.equal(lives.filter((type) => type === 'session.updated').length, types.length)
  const { events: page, cursor } = await rpc.eventLog.read({ max: 2 })
  assert.deepEqual(typesOf(page), types.slice(0, 2))
  assert.deepEqual(typesOf((await rpc.eventLog.read({ cursor })).events), types.slice(2))
  const { events: last } = await rpc.eventLog.read({ direction: 'backward', max: 1 })
  assert.deepEqual(last, events.slice(-1))
  assert.equal(existsSync(join(place.home, 'session-state')), false)

  await session.sendAndWait('run echo hello')
  assert.deepEqual(
    logOf(place, session.sessionId).map(({ id }) => id),
    told.filter(isKept).map(({ id }) => id),
    'each is told once and written under the id by which it was told',
  )
})

test('commands find a fresh session as empty as it is', async () => {
  await using place = makeRpcPlace()
  const { rpc } = await place.client().createSession({ onPermissionRequest: approveAll })
  const said = await rpc.commands.invoke({ name: 'plan' })
  assert.match(said.kind === 'text' ? said.text : '', /no plan/)
  await assert.rejects(rpc.commands.invoke({ name: 'redo' }), /nothing to redo/)
})

test('a resumed session tells session.resume, chooses its model with it, and leaves no trace unused', async () => {
  await using place = makeRpcPlace()
  const client = place.client()
  const begun = await client.createSession({ model: 'one', onPermissionRequest: approveAll })
  await begun.sendAndWait('run echo hello')
  await begun.disconnect()
  const before = logOf(place, begun.sessionId)

  const told: SessionEvent[] = []
  const again = await client.resumeSession(begun.sessionId, {
    model: 'two',
    onPermissionRequest: approveAll,
    onEvent: (event) => told.push(event),
  })
  assert.deepEqual(await again.rpc.model.getCurrent(), { modelId: 'two' })
  const resumed = (await again.getEvents()).at(-1)
  assert.equal(resumed?.type, 'session.resume')
  assert.equal(resumed?.parentId, before.at(-1)?.id)
  assert.deepEqual(told.filter(isKept), [resumed])
  await again.disconnect()
  assert.equal(told.filter(isKept).at(-1)?.type, 'session.shutdown')
  assert.deepEqual(logOf(place, begun.sessionId), before)
})

test('a message is answered in the mode it was sent with, and the mode of the session stays', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  await session.sendAndWait({ prompt: 'run touch planned.txt', agentMode: 'plan' })
  assert.equal(existsSync(join(place.project, 'planned.txt')), false, 'nothing is changed in it')
  assert.equal(await session.rpc.mode.get(), 'interactive')
  await session.sendAndWait('run touch made.txt')
  assert.equal(existsSync(join(place.project, 'made.txt')), true)
  const modes = (await session.getEvents()).flatMap(({ type, data }) =>
    type === 'user.message' ? [data.agentMode] : [],
  )
  assert.deepEqual(modes, ['plan', 'interactive'])
})

for (const way of ['disconnect', 'stop', 'shutdown'] as const) {
  test(`the hook of the end runs at ${way}, its client is told, and the events stay readable`, async () => {
    await using place = makeRpcPlace()
    const client = place.client()
    const reasons: string[] = []
    const hooks: SessionHooks = { onSessionEnd: ({ reason }) => void reasons.push(reason) }
    const told: string[] = []
    const session = await client.createSession({
      hooks,
      onPermissionRequest: approveAll,
      onEvent: ({ type }) => told.push(type),
    })
    await session.sendAndWait('run echo hello')
    if (way === 'disconnect') await session.disconnect()
    if (way === 'stop') await client.stop()
    if (way === 'shutdown') {
      await session.rpc.shutdown({})
      assert.equal((await session.getEvents()).at(-1)?.type, 'session.shutdown')
    }
    assert.deepEqual(reasons, ['user_exit'])
    assert.equal(told.at(-1), 'session.shutdown')
  })
}

test('what does not exist is answered as the SDK expects it', async () => {
  await using place = makeRpcPlace()
  const client = place.client()
  await client.start()
  assert.equal(await client.getSessionMetadata('no-such-session'), undefined)
  assert.equal(await client.getLastSessionId(), undefined)
  const { sessions } = client.rpc
  const sessionId = 'no-such-session'
  assert.deepEqual(await sessions.findByPrefix({ prefix: 'no-such' }), {})
  assert.deepEqual(await sessions.checkInUse({ sessionIds: [sessionId] }), { inUse: [] })
  for (const done of [sessions.close, sessions.releaseLock, sessions.save])
    assert.deepEqual(await done({ sessionId }), {})
})

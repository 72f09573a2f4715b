/** Work that programs do beside a session, through the real SDK: shown to all, stopped by its owner, never lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent, portOf } from './place.ts'

const registered = {
  type: 'client',
  clientTaskId: 'build',
  description: 'Builds it',
  displayName: 'Build',
  cancellable: true,
} as const

test('work of a client is registered, told of step by step, and ends once', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  const { tasks } = session.rpc
  const changed = nextEvent(session, 'session.background_tasks_changed')
  const { task, created } = await tasks.register(registered)
  await changed
  assert.deepEqual(
    [created, task.status, task.sequence, task.canCancel],
    [true, 'running', 0, true],
  )
  assert.deepEqual(await tasks.register(registered), { task, created: false, reclaimed: false })
  const { id } = task
  const half = { kind: 'progress', message: 'half', percentage: 50, phase: 'compile' } as const
  assert.equal((await tasks.update({ id, sequence: 1, update: half })).applied, true)
  const again = await tasks.update({ id, sequence: 1, update: half })
  assert.deepEqual([again.applied, again.duplicate], [false, true])
  const other = { kind: 'progress', message: 'other' } as const
  await assert.rejects(tasks.update({ id, sequence: 1, update: other }), /TASK_CONFLICT/)
  await assert.rejects(tasks.update({ id, sequence: 3, update: other }), /TASK_CONFLICT/)
  const { progress } = await tasks.getProgress({ id })
  assert.ok(progress?.type === 'client')
  assert.deepEqual(
    [progress.percentage, progress.phase, progress.lastMessage, progress.sequence],
    [50, 'compile', 'half', 1],
  )
  const pending = tasks.waitForPending()
  assert.deepEqual(await tasks.remove({ id }), { removed: false })
  const done = await tasks.update({
    id,
    sequence: 2,
    update: { kind: 'completed', result: { n: 1 } },
  })
  assert.deepEqual([done.task.status, done.task.result], ['completed', { n: 1 }])
  await pending
  await assert.rejects(tasks.update({ id, sequence: 3, update: other }), /TASK_CONFLICT/)
  assert.deepEqual(await tasks.remove({ id }), { removed: true })
  assert.deepEqual(await tasks.list(), { tasks: [] })
})

test('work whose client has gone is kept, and another client takes it up where it was', async () => {
  await using place = makeRpcPlace()
  const first = place.tcpClient('tok')
  const session = await first.createSession({ onPermissionRequest: approveAll })
  const second = place.join(portOf(first), 'tok')
  const joined = await second.resumeSession(session.sessionId, { onPermissionRequest: approveAll })
  const { task } = await joined.rpc.tasks.register(registered)
  const { id } = task
  await joined.rpc.tasks.update({ id, sequence: 1, update: { kind: 'progress', percentage: 10 } })
  // Only the client that does it knows how far it is.
  await assert.rejects(
    session.rpc.tasks.update({ id, sequence: 2, update: { kind: 'completed' } }),
    /TASK_CONFLICT/,
  )
  const left = nextEvent(session, 'session.background_tasks_changed')
  await second.forceStop()
  await left
  const [orphan] = (await session.rpc.tasks.list()).tasks
  assert.ok(orphan?.type === 'client')
  assert.deepEqual([orphan.status, orphan.owner.presence], ['orphaned', 'disconnected'])
  assert.deepEqual(await session.rpc.tasks.cancel({ id }), { cancelled: false })
  const { tasks } = session.rpc
  await assert.rejects(tasks.register({ ...registered, expectedSequence: 7 }), /TASK_CONFLICT/)
  const taken = await tasks.register({ ...registered, expectedSequence: 1 })
  assert.deepEqual(
    [taken.reclaimed, taken.task.id, taken.task.status, taken.task.sequence],
    [true, id, 'running', 1],
  )
  // This client was told of no way to stop it.
  assert.deepEqual(await tasks.cancel({ id }), { cancelled: false })
})

test('a command that the agent runs is stopped as a task, and the turn goes on', async () => {
  await using place = makeRpcPlace()
  const command = 'echo begun; sleep 600'
  await using model = await startModelServer(({ index }) =>
    index === 0 ? { calls: [{ name: 'bash', arguments: { command } }] } : { text: 'went on' },
  )
  const session = await place.client().createSession({
    onPermissionRequest: approveAll,
    model: 'test-model',
    provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
  })
  const said = new Promise((resolve) => {
    session.on(({ type }) => type === 'tool.execution_partial_result' && resolve(undefined))
  })
  const answer = session.sendAndWait('hello')
  await said
  const [task] = (await session.rpc.tasks.list()).tasks
  assert.deepEqual([task?.type, task?.status], ['shell', 'running'])
  assert.deepEqual(await session.rpc.tasks.cancel({ id: task?.id ?? '' }), { cancelled: true })
  assert.equal((await answer)?.data.content, 'went on')
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /user stopped this command.*begun/)
  assert.deepEqual(await session.rpc.tasks.cancel({ id: task?.id ?? '' }), { cancelled: false })
})

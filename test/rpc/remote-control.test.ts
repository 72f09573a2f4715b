/** Programs of the real SDK that let one of their sessions be watched and steered from Mission Control. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAll, type CopilotClient, type CopilotSession } from '@github/copilot-sdk'
import { startNode, type Client } from '../control/node.ts'
import { startModelServer } from '../model-server/server.ts'
import { until } from '../remote/homes.ts'
import { makeRpcPlace } from './place.ts'

const config = { remote: true, steerable: true, explicit: true, silent: false }

const steer = async (client: Client, id: string, content: string): Promise<string> => {
  const command = crypto.randomUUID()
  await client.ask('POST', `/api/sessions/${id}/commands`, {
    id: command,
    kind: 'user_message',
    content,
  })
  return until(async () => {
    const { body } = await client.ask('GET', `/api/sessions/${id}/commands/${command}?wait=5`)
    const { state } = body as { state: string }
    return state === 'queued' || state === 'claimed' ? undefined : state
  })
}

test('a program starts, steers, hands over and stops remote control, by compare and swap', async () => {
  await using node = await startNode()
  await using model = await startModelServer(() => ({ text: 'Answered.' }))
  await using place = makeRpcPlace()
  const ann = await node.person('ann')
  Object.assign(place.env, { REPRISE_CONTROL_URL: node.url, REPRISE_CONTROL_TOKEN: ann.token })
  const client: CopilotClient = place.client()
  const made = (): Promise<CopilotSession> =>
    client.createSession({
      onPermissionRequest: approveAll,
      model: 'test-model',
      provider: { type: 'openai', baseUrl: model.baseUrl, apiKey: 'key' },
    })
  const [one, other] = [await made(), await made()]
  // The first is begun before anything was said in it.
  await other.sendAndWait('Hi')
  const control = client.rpc.sessions
  const active = (session: CopilotSession, isSteerable: boolean) => ({
    state: 'active',
    attachedSessionId: session.sessionId,
    isSteerable,
    frontendUrl: `${node.url}/sessions/${session.sessionId}`,
  })
  assert.deepEqual(await control.getRemoteControlStatus(), { status: { state: 'off' } })

  assert.deepEqual(await control.startRemoteControl({ sessionId: one.sessionId, config }), {
    status: active(one, true),
  })
  assert.deepEqual(await control.getRemoteControlStatus(), { status: active(one, true) })
  assert.equal(await steer(ann, one.sessionId, 'from the phone'), 'applied')
  const steered = (await one.getEvents()).filter(
    ({ type, data }) =>
      type === 'user.message' && (data as { content: string }).content === 'from the phone',
  )
  assert.equal(steered.length, 1)

  const told = (await one.getEvents()).flatMap(({ type, data }) =>
    type === 'session.info' || type === 'session.warning'
      ? [[type, (data as { message: string }).message.split(':')[0]]]
      : [],
  )
  assert.deepEqual(told.slice(0, 2), [
    ['session.warning', 'This session is in no repository'],
    ['session.info', 'Remote control connected'],
  ])
  // What a program says of the copy counts: it is this one, it is there, and the task is known.
  const begin = (more: object, session = one) =>
    control.startRemoteControl({
      sessionId: session.sessionId,
      config: { ...config, explicit: false, silent: true, ...more },
    })
  const itself = (session: CopilotSession) => ({
    existingMcSession: { mcSessionId: session.sessionId, mcTaskId: session.sessionId },
  })
  assert.deepEqual(await begin(itself(one)), { status: active(one, true) })
  await assert.rejects(begin(itself(other)), /is another one. Nothing was changed/)
  await assert.rejects(begin(itself(other), other), /There is no copy of this session/)
  await assert.rejects(begin({ taskId: 'nobody' }), /There is no task nobody/)
  const { body: task } = await ann.ask('POST', '/api/tasks', { id: 'task-1', pool: 'nowhere' })
  assert.equal((task as { id: string }).id, 'task-1')
  assert.deepEqual(await begin({ taskId: 'task-1' }), { status: active(one, true) })
  await until(
    async () =>
      (await control.findByTaskId({ taskId: 'task-1' })).sessionId === one.sessionId || undefined,
  )

  // One that is not there changes nothing.
  await assert.rejects(control.startRemoteControl({ sessionId: 'nope', config }), /no session nope/)
  assert.deepEqual(await control.getRemoteControlStatus(), { status: active(one, true) })

  // Another one is expected: nothing is changed.
  assert.deepEqual(
    await control.transferRemoteControl({
      toSessionId: other.sessionId,
      expectedFromSessionId: other.sessionId,
    }),
    { status: active(one, true), transferred: false },
  )
  const swap = () =>
    control.transferRemoteControl({
      toSessionId: other.sessionId,
      expectedFromSessionId: one.sessionId,
    })
  // Of two at the same moment one wins.
  assert.deepEqual(await Promise.all([swap(), swap()]), [
    { status: active(other, true), transferred: true },
    { status: active(other, true), transferred: false },
  ])
  assert.equal(await steer(ann, other.sessionId, 'to the other one'), 'applied')
  assert.deepEqual(await control.setRemoteControlSteering({ enabled: false }), {
    status: active(other, false),
  })
  assert.deepEqual(await control.stopRemoteControl({ expectedSessionId: one.sessionId }), {
    status: active(other, false),
    stopped: false,
  })
  assert.deepEqual(await control.stopRemoteControl({ expectedSessionId: other.sessionId }), {
    status: { state: 'off' },
    stopped: true,
  })
  assert.deepEqual(await control.getRemoteControlStatus(), { status: { state: 'off' } })
  const changes = (await other.getEvents()).flatMap(({ type, data }) =>
    type === 'session.remote_steerable_changed'
      ? [(data as { remoteSteerable: boolean }).remoteSteerable]
      : [],
  )
  assert.deepEqual(changes, [true, false])
})

test('a program on another machine is asked what a session there asks, and its answer counts', async () => {
  await using node = await startNode()
  await using desk = makeRpcPlace()
  await using laptop = makeRpcPlace()
  const ann = await node.person('ann')
  for (const { env } of [desk, laptop])
    Object.assign(env, { REPRISE_CONTROL_URL: node.url, REPRISE_CONTROL_TOKEN: ann.token })
  const client = desk.client()
  const there = await client.createSession({ onPermissionRequest: () => new Promise(() => {}) })
  await there.sendAndWait('help')
  await client.rpc.sessions.startRemoteControl({ sessionId: there.sessionId, config })
  const far = laptop.client({}, ['--connect', there.sessionId])
  await far.start()
  const asked: string[] = []
  const joined = await far.resumeSession(there.sessionId, {
    onPermissionRequest(request) {
      asked.push(request.kind)
      return { kind: 'approve-once' }
    },
  })
  const answer = await joined.sendAndWait('run echo from the laptop')
  assert.match(answer?.data.content ?? '', /succeeded:\n\n```\nfrom the laptop/)
  assert.deepEqual(asked, ['shell'])
})

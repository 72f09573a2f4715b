/** Panels of clients through the real SDK: opened, acted in and closed by programs and models, and back after a resume. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CanvasError,
  approveAll,
  createCanvas,
  type CopilotSession,
  type SessionConfig,
} from '@github/copilot-sdk'
import type { Reply } from '../model-server/reply.ts'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent, portOf } from './place.ts'

const numbers = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'number' } },
  required: [name],
})

/** Notes that count what they were asked for. */
function notes(title = 'Notes of today') {
  const asked: string[] = []
  const canvas = createCanvas({
    id: 'notes',
    displayName: 'Notes',
    description: 'MARK-OF-NOTES',
    inputSchema: numbers('day'),
    actions: [
      {
        name: 'add',
        inputSchema: numbers('n'),
        handler: ({ input }) => ({ sum: (input as { n: number }).n + 1 }),
      },
      {
        name: 'fail',
        handler: () => {
          throw new CanvasError('full', 'the page is full')
        },
      },
    ],
    open({ instanceId, input }) {
      asked.push(`open ${instanceId} ${JSON.stringify(input)}`)
      return { title, url: 'http://127.0.0.1/notes', status: 'ready' }
    },
    onClose: ({ instanceId }) => void asked.push(`close ${instanceId}`),
  })
  return { canvas, asked }
}

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl },
  requestCanvasRenderer: true,
  canvasProvider: { id: 'app:one', name: 'App' },
})

const kept = async (session: CopilotSession) =>
  (await session.getEvents()).flatMap(({ type }) => (/canvas/.test(type) ? [type] : []))

test('a panel is opened, acted in and closed, and is back when its client comes back', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const mine = notes()
  const client = place.client()
  const given = { ...config(model), canvases: [mine.canvas] }
  const session = await client.createSession(given)
  assert.equal(session.capabilities.ui?.canvases, true)
  const { canvas } = session.rpc
  const [declared] = (await canvas.list()).canvases
  assert.deepEqual(
    [declared?.extensionId, declared?.extensionName, declared?.canvasId],
    ['app:one', 'App', 'notes'],
  )
  await assert.rejects(canvas.open({ canvasId: 'other', instanceId: 'a' }), /No canvas "other"/)
  await assert.rejects(canvas.open({ canvasId: 'notes', instanceId: 'a' }), /\/day: /)
  const place1 = { instanceId: 'a', extensionId: 'app:one', canvasId: 'notes' }
  const shown = { title: 'Notes of today', status: 'ready', url: 'http://127.0.0.1/notes' }
  const opened = await canvas.open({ canvasId: 'notes', instanceId: 'a', input: { day: 1 } })
  assert.deepEqual(opened, { ...place1, extensionName: 'App', ...shown, input: { day: 1 } })
  assert.deepEqual(session.openCanvases, [opened])
  const act = (actionName: string, input: Record<string, string | number> = {}) =>
    canvas.action.invoke({ instanceId: 'a', actionName, input })
  assert.deepEqual(await act('add', { n: 2 }), { result: { sum: 3 } })
  await assert.rejects(act('add', { n: 'x' }), /\/n: /)
  await assert.rejects(act('fail'), /the page is full/)
  await assert.rejects(act('none'), /Unknown action "none"/)
  await canvas.open({ canvasId: 'notes', instanceId: 'b', input: { day: 2 } })
  await canvas.close({ instanceId: 'b' })
  await assert.rejects(canvas.close({ instanceId: 'b' }), /not open/)
  assert.deepEqual(mine.asked, ['open a {"day":1}', 'open b {"day":2}', 'close b'])
  const log = ['recorded', 'recorded', 'removed'].map((it) => `session.canvas.${it}`)
  assert.deepEqual(await kept(session), log)
  await session.disconnect()

  const again = notes('Notes again')
  const back = Promise.withResolvers<void>()
  const resumed = await client.resumeSession(session.sessionId, {
    ...given,
    canvases: [again.canvas],
    onEvent: ({ type }) => type === 'session.canvas.opened' && back.resolve(),
  })
  await back.promise
  assert.deepEqual(again.asked, ['open a {"day":1}'])
  assert.deepEqual(
    (await resumed.rpc.canvas.listOpen()).openCanvases.map(({ title }) => title),
    ['Notes again'],
  )
  assert.deepEqual(await kept(resumed), log)
})

test('a model is told of the panels, opens one and acts in it, as far as it is allowed', async () => {
  const calls = [
    ['list_canvas_capabilities', { canvasId: 'notes' }],
    ['open_canvas', { canvasId: 'notes', instanceId: 'm', input: { day: 3 } }],
    ['invoke_canvas_action', { instanceId: 'm', actionName: 'add', input: { n: 4 } }],
    ['invoke_canvas_action', { instanceId: 'm', actionName: 'none' }],
  ] as const
  let step = 0
  await using model = await startModelServer((): Reply => {
    const call = calls[step++]
    return call === undefined
      ? { text: 'done' }
      : { calls: [{ name: call[0], arguments: call[1] }] }
  })
  await using place = makeRpcPlace()
  const asked: string[] = []
  const session = await place.client().createSession({
    ...config(model),
    canvases: [notes().canvas],
    onPermissionRequest(request) {
      asked.push(request.kind)
      return { kind: 'approve-once' }
    },
  })
  await session.sendAndWait('show my notes')
  assert.deepEqual(asked, ['custom-tool', 'custom-tool', 'custom-tool'])
  const messages = model.requests.at(-1)?.body['messages'] as readonly {
    readonly role: string
    readonly content: string
  }[]
  assert.match(messages[0]?.content ?? '', /MARK-OF-NOTES/)
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  assert.match(told[0] ?? '', /"inputSchema"/)
  assert.match(told[1] ?? '', /"title": "Notes of today"/)
  assert.deepEqual(JSON.parse(told[2] ?? ''), { result: { sum: 5 } })
  assert.match(told[3] ?? '', /Unknown action/)
  assert.deepEqual(
    session.openCanvases.map(({ instanceId }) => instanceId),
    ['m'],
  )
})

test('panels of a client that goes are told as unavailable; two of one name are told apart', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const first = place.tcpClient('token')
  await first.start()
  const second = place.join(portOf(first), 'token')
  const { canvasProvider: _none, ...unnamed } = config(model)
  const session = await first.createSession({ ...unnamed, canvases: [notes('first').canvas] })
  const changed = nextEvent(session, 'session.canvas.registry_changed')
  await second.resumeSession(session.sessionId, { ...unnamed, canvases: [notes('second').canvas] })
  assert.equal(((await changed).data as { canvases: unknown[] }).canvases.length, 2)
  const { canvas } = session.rpc
  const wish = { canvasId: 'notes', instanceId: 'x', input: { day: 1 } }
  await assert.rejects(canvas.open(wish), /several extensions \("connection:1", "connection:2"\)/)
  const opened = await canvas.open({ ...wish, extensionId: 'connection:2' })
  assert.equal(opened.title, 'second')
  await assert.rejects(canvas.open({ ...wish, extensionId: 'connection:1' }), /another canvas/)
  const gone = nextEvent(session, 'session.canvas.unavailable')
  await second.forceStop()
  assert.equal(((await gone).data as { instanceId: string }).instanceId, 'x')
  assert.deepEqual((await canvas.listOpen()).openCanvases, [])
  await assert.rejects(
    canvas.action.invoke({ instanceId: 'x', actionName: 'add', input: { n: 1 } }),
    /cannot be reached/,
  )
  await canvas.close({ instanceId: 'x' })
})

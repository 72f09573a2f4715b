/** What waits for an answer outlives the client that was asked, and the server; the real SDK answers it later. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type {
  CopilotClient,
  CopilotSession,
  SessionConfig,
  SessionEvent,
} from '@github/copilot-sdk'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { ask, makeRpcPlace, nextEvent, type RpcPlace } from './place.ts'

const TOKEN = 'a-token'

interface Running extends AsyncDisposable {
  join(): CopilotClient
  kill(signal?: NodeJS.Signals): Promise<void>
}

async function startServer(place: RpcPlace): Promise<Running> {
  const env = { ...place.env, COPILOT_CONNECTION_TOKEN: TOKEN }
  const child = spawn(place.path, ['--server', '--home', place.home], { env, cwd: place.project })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const port = Number(/listening on port (\d+)/i.exec(line)?.[1])
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  return { join: () => place.join(port, TOKEN), kill, [Symbol.asyncDispose]: () => kill() }
}

const silent = () => new Promise<never>(() => {})

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  model: 'test-model',
  provider: { type: 'openai', baseUrl, apiKey: 'key' },
  onPermissionRequest: () => ({ kind: 'no-result' }),
  onUserInputRequest: silent,
  tools: [
    {
      name: 'weather',
      description: 'The weather.',
      parameters: { type: 'object', properties: {} },
      skipPermission: true,
    },
  ],
})

type Case = {
  readonly call: { readonly name: string; readonly arguments: object }
  readonly asks: string
  /** How the client that comes later answers, unless by what it was resumed with. */
  readonly answer?: (session: CopilotSession, requestId: string) => Promise<{ success: boolean }>
  readonly with?: Partial<SessionConfig>
  readonly result: RegExp
}

const cases: Readonly<Record<string, Case>> = {
  'a permission': {
    call: { name: 'bash', arguments: { command: 'echo once >> ran; cat ran' } },
    asks: 'permission.requested',
    answer: (session, requestId) =>
      session.rpc.permissions.handlePendingPermissionRequest({
        requestId,
        result: { kind: 'approve-once' },
      }),
    result: /"content":"once"/,
  },
  'a permission, by the handler,': {
    call: { name: 'bash', arguments: { command: 'echo once >> ran; cat ran' } },
    asks: 'permission.requested',
    with: { onPermissionRequest: () => ({ kind: 'approve-once' }) },
    result: /"content":"once"/,
  },
  'a call of a client tool': {
    call: { name: 'weather', arguments: {} },
    asks: 'external_tool.requested',
    answer: (session, requestId) =>
      session.rpc.tools.handlePendingToolCall({ requestId, result: 'late snow' }),
    result: /"content":"late snow"/,
  },
  'a question': {
    call: { name: 'ask_user', arguments: { question: 'Tea?' } },
    asks: 'user_input.requested',
    with: { onUserInputRequest: () => ({ answer: 'tea', wasFreeform: true }) },
    result: /The user answered: tea/,
  },
}

const ENDS: readonly (readonly [string, NodeJS.Signals?])[] = [
  ['the client died'],
  ['the server was killed', 'SIGKILL'],
  ['the server ended', 'SIGTERM'],
]

for (const [name, { call, asks, answer, with: own = {}, result }] of Object.entries(cases)) {
  for (const [end, signal] of ENDS) {
    const isServerKilled = signal !== undefined
    test(
      `${name} is answered after ${end}, and the turn goes on`,
      { timeout: 60_000 },
      async () => {
        await using model = await startModelServer([
          { calls: [{ ...call, id: 'call-1' }] },
          { text: 'Done.' },
        ])
        await using place = makeRpcPlace()
        await using first = await startServer(place)
        const dying = first.join()
        const lost = await dying.createSession({
          ...config(model),
          workingDirectory: place.project,
        })
        const asked = nextEvent(lost, asks)
        await lost.send('go')
        const { requestId } = (await asked).data as { requestId: string }
        if (signal !== undefined) await first.kill(signal)
        await dying.forceStop()
        await using second = isServerKilled ? await startServer(place) : undefined

        const seen: SessionEvent[] = []
        const ended = Promise.withResolvers<void>()
        const session = await (second ?? first).join().resumeSession(lost.sessionId, {
          ...config(model),
          ...own,
          continuePendingWork: true,
          onEvent(event) {
            seen.push(event)
            if (event.type === 'session.idle') ended.resolve()
          },
        })
        if (answer !== undefined)
          assert.deepEqual(await answer(session, requestId), { success: true })
        await ended.promise
        assert.equal(model.requests.length, 2)
        assert.match(JSON.stringify(model.requests[1]?.body['messages']), result)
        const events = await session.getEvents()
        const last = events.findLast((event) => event.type === 'assistant.message')
        assert.equal(last?.data.content, 'Done.')
        const once = (type: string) => events.filter((event) => event.type === type).length
        assert.deepEqual(
          ['user.message', 'tool.execution_start', 'tool.execution_complete', 'abort'].map(once),
          [1, 1, 1, 0],
        )
        if (asks !== 'permission.requested') return
        assert.equal(once('permission.requested'), 1)
        assert.equal(readFileSync(join(place.project, 'ran'), 'utf8'), 'once\n')
      },
    )
  }
}

test(
  'a permission beside a call of a client tool is answered first, after the server was killed',
  { timeout: 60_000 },
  async () => {
    await using model = await startModelServer([
      {
        calls: [
          { name: 'weather', arguments: {}, id: 'call-1' },
          { name: 'bash', arguments: { command: 'echo once >> ran; cat ran' }, id: 'call-2' },
        ],
      },
      { text: 'Done.' },
    ])
    await using place = makeRpcPlace()
    await using first = await startServer(place)
    const dying = first.join()
    const lost = await dying.createSession({ ...config(model), workingDirectory: place.project })
    const both = ['external_tool.requested', 'permission.requested'].map((type) =>
      nextEvent(lost, type),
    )
    await lost.send('go')
    const [tool = '', leave = ''] = (await Promise.all(both)).map(
      ({ data }) => (data as { requestId: string }).requestId,
    )
    await first.kill('SIGKILL')
    await dying.forceStop()
    await using second = await startServer(place)
    const ran = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const session = await second.join().resumeSession(lost.sessionId, {
      ...config(model),
      continuePendingWork: true,
      onEvent({ type }) {
        if (type === 'tool.execution_complete') ran.resolve()
        if (type === 'session.idle') ended.resolve()
      },
    })
    const { rpc } = session
    const approved = { requestId: leave, result: { kind: 'approve-once' as const } }
    await rpc.permissions.handlePendingPermissionRequest(approved)
    // The client's tool has not answered yet.
    await ran.promise
    await rpc.tools.handlePendingToolCall({ requestId: tool, result: 'late snow' })
    await ended.promise
    const told = JSON.stringify(model.requests[1]?.body['messages'])
    assert.match(told, /"call-1","content":"late snow"/)
    assert.match(told, /"call-2","content":"once"/)
    const events = await session.getEvents()
    const requests = events.filter(({ type }) => type === 'external_tool.requested')
    assert.equal(requests.length, 1)
  },
)

test(
  'a call that had begun is not run again; the one after it is, and the model is told of both',
  { timeout: 60_000 },
  async () => {
    const begun = { command: 'echo begun >> ran; echo out; while true; do sleep 0.1; done' }
    const next = { command: 'echo next >> ran; cat ran' }
    await using model = await startModelServer([
      {
        calls: [
          { name: 'bash', arguments: begun, id: 'call-1' },
          { name: 'bash', arguments: next, id: 'call-2' },
        ],
      },
      { text: 'Done.' },
    ])
    await using place = makeRpcPlace()
    const approves = {
      ...config(model),
      onPermissionRequest: () => ({ kind: 'approve-once' }) as const,
    }
    await using first = await startServer(place)
    const lost = await first.join().createSession({ ...approves, workingDirectory: place.project })
    const runs = nextEvent(lost, 'tool.execution_partial_result')
    await lost.send('go')
    await runs
    await first.kill()
    await using second = await startServer(place)
    const ended = Promise.withResolvers<void>()
    const session = await second.join().resumeSession(lost.sessionId, {
      ...approves,
      continuePendingWork: true,
      onEvent: ({ type }) => void (type === 'session.idle' && ended.resolve()),
    })
    await ended.promise
    const [, told] = model.requests
    assert.match(JSON.stringify(told?.body['messages']), /"call-1","content":"interrupted before/)
    assert.match(JSON.stringify(told?.body['messages']), /"call-2","content":"begun\\nnext"/)
    const ends = (await session.getEvents()).flatMap(({ type, data }) =>
      type === 'tool.execution_complete' ? [[data.toolCallId, data.success]] : [],
    )
    assert.deepEqual(ends, [
      ['call-1', false],
      ['call-2', true],
    ])
  },
)

test(
  'without continuePendingWork what waited when the server was killed is interrupted',
  { timeout: 60_000 },
  async () => {
    await using model = await startModelServer([
      { calls: [{ name: 'bash', arguments: { command: 'echo no' }, id: 'call-1' }] },
      { text: 'Understood.' },
    ])
    await using place = makeRpcPlace()
    await using first = await startServer(place)
    const lost = await first
      .join()
      .createSession({ ...config(model), workingDirectory: place.project })
    const asked = nextEvent(lost, 'permission.requested')
    await lost.send('go')
    await asked
    await first.kill()
    await using second = await startServer(place)
    const session = await second.join().resumeSession(lost.sessionId, config(model))
    assert.deepEqual(await session.rpc.permissions.pendingRequests(), { items: [] })
    assert.equal((await session.sendAndWait('and now?'))?.data.content, 'Understood.')
    assert.match(JSON.stringify(model.requests[1]?.body['messages']), /interrupted before a result/)
  },
)

test(
  'a question that waits on a server is answered from another process, which asks for no lease',
  { timeout: 60_000 },
  async () => {
    const told = Promise.withResolvers<string>()
    const command = 'echo once >> ran; cat ran'
    await using model = await startModelServer(({ body }) => {
      const messages = JSON.stringify(body['messages'])
      if (!messages.includes(command)) return { calls: [{ name: 'bash', arguments: { command } }] }
      told.resolve(messages)
      return { text: 'Done.' }
    })
    await using place = makeRpcPlace()
    await using server = await startServer(place)
    const dying = server.join()
    const lost = await dying.createSession({ ...config(model), workingDirectory: place.project })
    const asked = nextEvent(lost, 'permission.requested')
    await lost.send('go')
    await asked
    await dying.forceStop()
    const { stdout } = await promisify(execFile)(
      place.path,
      ['--home', place.home, 'sessions', 'answer', lost.sessionId, 'allow'],
      { env: place.env },
    )
    assert.match(stdout, /^Answered in /)
    assert.match(await told.promise, /"content":"once"/)
    const log = join(place.home, 'session-state', lost.sessionId, 'events.jsonl')
    assert.doesNotMatch(readFileSync(log, 'utf8'), /"type":"session\.resume"/)
  },
)

test('what a program tells an agent that is at work outlives a killed server, once it is acknowledged', async () => {
  await using place = makeRpcPlace()
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  await using model = await startModelServer(({ index }) => {
    resolve()
    return index === 0 ? { text: 'one', until: silent() } : { text: 'ok' }
  })
  await using first = await startServer(place)
  const dying = first.join()
  const session = await dying.createSession(config(model))
  await session.send('hello')
  await asked
  const { sessionId } = session
  await ask(dying, 'session.sendSystemNotification', { sessionId, message: 'the build is green' })
  await first.kill('SIGKILL')
  await dying.forceStop()

  await using second = await startServer(place)
  const resumed = await second.join().resumeSession(session.sessionId, config(model))
  const { items } = await resumed.rpc.queue.pendingItems()
  assert.match(items.map(({ displayText }) => displayText).join('|'), /^<system_no.*green\n/s)
  const idle = nextEvent(resumed, 'session.idle')
  await resumed.rpc.queue.setDrainPaused({ paused: false })
  await idle
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /the build is green/)
})

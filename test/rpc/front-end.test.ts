/** What front ends draw from: the gauge, steps, tools and commands that change, remarks, and when a session is idle. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { approveAll, defineTool, type SessionConfig, type SessionEvent } from '@github/copilot-sdk'
import { deferred } from '../../src/lib/deferred.ts'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent, portOf } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl, apiKey: 'key' },
})

const sqlCall = (query: string) => ({ calls: [{ name: 'sql', arguments: { query } }] })

test('the gauge is told before each call of the model, and grows with what was said', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'bash', arguments: { command: 'echo hi' } }] },
    { text: 'ok' },
  ])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  const told: SessionEvent[] = []
  session.on((event) => void told.push(event))
  await session.sendAndWait('hello')
  const gauges = told.flatMap((event) => (event.type === 'session.usage_info' ? [event.data] : []))
  assert.deepEqual(
    gauges.map(({ isInitial, tokenLimit, messagesLength }) => [
      isInitial,
      tokenLimit,
      messagesLength,
    ]),
    [
      [true, 128_000, 2],
      [false, 128_000, 4],
    ],
  )
  const [first, second] = gauges
  assert.ok((second?.currentTokens ?? 0) > (first?.currentTokens ?? 0))
  const { systemTokens = 0, conversationTokens = 0, toolDefinitionsTokens = 0 } = first ?? {}
  assert.equal(first?.currentTokens, systemTokens + conversationTokens + toolDefinitionsTokens)
  const tools = told.find(({ type }) => type === 'session.tools_updated')
  assert.deepEqual(tools?.data, { model: 'test-model' })
})

test('a request for leave says how it is put to a person, and so does what waits', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'bash', arguments: { command: 'echo hi' } }] },
    { text: 'ok' },
  ])
  await using place = makeRpcPlace()
  const session = await place
    .client()
    .createSession({ ...config(model), onPermissionRequest: () => ({ kind: 'no-result' }) })
  const asked = deferred<Extract<SessionEvent, { type: 'permission.requested' }>>()
  session.on('permission.requested', asked.resolve)
  await session.send('hello')
  const { requestId, promptRequest, agentMode } = (await asked.promise).data
  assert.deepEqual(
    { ...promptRequest, toolCallId: '' },
    {
      kind: 'commands',
      fullCommandText: 'echo hi',
      commandIdentifiers: ['echo'],
      intention: 'Run echo hi',
      canOfferSessionApproval: true,
      toolCallId: '',
    },
  )
  assert.equal(agentMode, 'interactive')
  const { items } = await session.rpc.permissions.pendingRequests()
  assert.deepEqual(items, [{ requestId, request: promptRequest }])
})

test('what goes around a turn is told as the Copilot CLI tells it', async () => {
  await using model = await startModelServer([{ text: 'four' }])
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ ...config(model), streaming: true })
  const told: unknown[] = []
  let waiting = 0
  session.on(({ type, data }) => {
    if (type === 'pending_messages.modified') waiting += 1
    else if (AROUND.has(type)) told.push([type, data])
    else if (type === 'assistant.message') told.push(type)
  })
  await session.sendAndWait('hello')
  assert.equal(waiting, 2)
  assert.deepEqual(told, [
    ['session.mcp_servers_loaded', { servers: [] }],
    ['assistant.streaming_delta', { totalResponseSizeBytes: 4 }],
    'assistant.message',
    ['assistant.idle', {}],
    ['session.idle', { mode: 'interactive' }],
  ])
})

const AROUND: ReadonlySet<string> = new Set([
  'session.mcp_servers_loaded',
  'assistant.streaming_delta',
  'assistant.idle',
  'session.idle',
])

test('steps that the model keeps with sql are told and read back, with what waits for what', async () => {
  await using model = await startModelServer([
    sqlCall(
      "INSERT INTO todos (id, title, status) VALUES ('a', 'A', 'done'), ('b', 'B', 'pending')",
    ),
    sqlCall("INSERT INTO todo_deps VALUES ('b', 'a')"),
    sqlCall('SELECT id FROM todos'),
    { text: 'ok' },
  ])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  assert.deepEqual(await session.rpc.plan.readSqlTodos(), { rows: [] })
  let changes = 0
  session.on('session.todos_changed', () => void (changes += 1))
  await session.sendAndWait('plan it')
  assert.equal(changes, 2)
  const { rows, dependencies } = await session.rpc.plan.readSqlTodosWithDependencies()
  assert.deepEqual(
    rows.map(({ id, title, status }) => [id, title, status]),
    [
      ['a', 'A', 'done'],
      ['b', 'B', 'pending'],
    ],
  )
  assert.deepEqual(dependencies, [{ todoId: 'b', dependsOn: 'a' }])
  assert.deepEqual((await session.rpc.plan.readSqlTodos()).rows, rows)
})

test('a client that brings tools and commands, and leaves, is told to the others', async () => {
  await using model = await startModelServer([])
  await using place = makeRpcPlace()
  const first = place.tcpClient('token-of-the-test')
  const session = await first.createSession(config(model))
  const told: string[] = []
  session.on('commands.changed', ({ data }) => void told.push(JSON.stringify(data.commands)))
  session.on('session.tools_updated', ({ data }) => void told.push(data.model))
  const came = nextEvent(session, 'commands.changed')
  const second = place.join(portOf(first), 'token-of-the-test')
  const joined = await second.resumeSession(session.sessionId, {
    ...config(model),
    tools: [defineTool('weather', { description: 'w', handler: () => 'snow' })],
    commands: [{ name: 'deploy', description: 'd', handler: () => {} }],
  })
  await came
  const left = nextEvent(session, 'commands.changed')
  await joined.disconnect()
  await left
  await nextTools(told, 2)
  assert.deepEqual(told.toSorted(), [
    '[]',
    '[{"name":"deploy","description":"d"}]',
    'test-model',
    'test-model',
  ])

  async function nextTools(seen: readonly string[], count: number): Promise<void> {
    while (seen.filter((each) => each === 'test-model').length < count)
      await nextEvent(session, 'session.tools_updated')
  }
})

test('a remark has the kind of its level, kept or only told', async () => {
  await using model = await startModelServer([])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  const told: string[] = []
  session.on(({ type, data, ephemeral = false }) => {
    if (/^session\.(info|warning|error)$/.test(type))
      told.push(`${type} ${ephemeral} ${JSON.stringify(data)}`)
  })
  await session.log('a', { ephemeral: true })
  await session.log('b', { level: 'warning', ephemeral: true })
  await session.log('c')
  assert.deepEqual(told, [
    'session.info true {"infoType":"notification","message":"a"}',
    'session.warning true {"warningType":"notification","message":"b"}',
    'session.info false {"infoType":"notification","message":"c"}',
  ])
})

test('a session is idle once everything that waited is answered', async () => {
  await using model = await startModelServer([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  let idle = 0
  session.on('session.idle', () => void (idle += 1))
  await session.send('first')
  await session.send('second')
  const answer = await session.sendAndWait('third')
  assert.equal(answer?.data.content, 'three')
  assert.equal(idle, 1)
})

test('commands that wait are listed and withdrawn, and an interest is given back twice', async () => {
  await using model = await startModelServer([])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  const shown = nextEvent(session, 'command.queued')
  await session.rpc.commands.enqueue({ command: '/one' })
  await session.rpc.commands.enqueue({ command: '/two' })
  await shown
  const { items } = await session.rpc.queue.pendingItems()
  assert.deepEqual(
    items.map(({ displayText }) => displayText),
    ['/two'],
  )
  assert.deepEqual(await session.rpc.queue.removeMostRecent(), { removed: true })
  assert.deepEqual((await session.rpc.queue.pendingItems()).items, [])
  const { handle } = await session.rpc.eventLog.registerInterest({ eventType: 'assistant.message' })
  for (const _ of [1, 2])
    assert.deepEqual(await session.rpc.eventLog.releaseInterest({ handle }), { success: true })
})

test('what differs in the project is told as git knows it, and no filter of its configuration runs', async () => {
  await using model = await startModelServer([])
  await using place = makeRpcPlace()
  const at = (name: string) => join(place.project, name)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: place.project,
      stdio: 'pipe',
    })
  git('init', '-q', '-b', 'main')
  writeFileSync(at('a.txt'), 'one\n')
  writeFileSync(at('gone.txt'), 'gone\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  git('checkout', '-qb', 'feature')
  writeFileSync(at('branch.txt'), 'b\n')
  git('add', '.')
  git('commit', '-qm', 'second')
  writeFileSync(at('a.txt'), 'one\ntwo\n')
  rmSync(at('gone.txt'))
  writeFileSync(at('new file.txt'), 'n\n')
  writeFileSync(join(place.project, '.git/info/attributes'), '* filter=evil\n')
  git('config', 'filter.evil.clean', `touch '${at('ran')}'; cat`)
  const session = await place.client().createSession(config(model))
  const diff = async (mode: 'unstaged' | 'branch' | 'session') => {
    const found = await session.rpc.workspaces.diff({ mode })
    const changes = found.changes.map(({ path, changeType }) => `${path} ${changeType}`)
    return { mode: found.mode, isFallback: found.isFallback, changes }
  }
  assert.deepEqual(await diff('unstaged'), {
    mode: 'unstaged',
    isFallback: false,
    changes: ['a.txt modified', 'gone.txt deleted', 'new file.txt added'],
  })
  assert.deepEqual(await diff('branch'), {
    mode: 'branch',
    isFallback: false,
    changes: ['a.txt modified', 'branch.txt added', 'gone.txt deleted', 'new file.txt added'],
  })
  assert.deepEqual(await diff('session'), { mode: 'session', isFallback: false, changes: [] })
})

test('what a session changed is shown with its lines', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'create', arguments: { path: 'made.txt', file_text: 'one\ntwo\n' } }] },
    { calls: [{ name: 'bash', arguments: { command: 'echo three >> kept.txt' } }] },
    { text: 'ok' },
  ])
  await using place = makeRpcPlace()
  writeFileSync(join(place.project, 'kept.txt'), 'first\n')
  const session = await place.client().createSession(config(model))
  await session.sendAndWait('make it')
  const { changes } = await session.rpc.workspaces.diff({ mode: 'session' })
  assert.deepEqual(changes, [
    {
      path: 'kept.txt',
      changeType: 'modified',
      diff: 'diff --git a/kept.txt b/kept.txt\n--- a/kept.txt\n+++ b/kept.txt\n@@ -1,1 +1,2 @@\n first\n+three',
    },
    {
      path: 'made.txt',
      changeType: 'added',
      diff: 'diff --git a/made.txt b/made.txt\n--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1,2 @@\n+one\n+two',
    },
  ])
})

test('a hook changes what the model is given of a message, and people see what was said', async () => {
  await using model = await startModelServer([{ text: 'ok' }])
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    ...config(model),
    hooks: {
      onUserPromptTransformed: ({ prompt, transformedPrompt }) => ({
        modifiedTransformedPrompt: `${prompt} / ${transformedPrompt} / today`,
      }),
    },
  })
  await session.sendAndWait('hello')
  assert.match(JSON.stringify(model.requests.at(-1)?.body['messages']), /hello \/ hello \/ today/)
  const said = (await session.getEvents()).flatMap((event) =>
    event.type === 'user.message' ? [[event.data.content, event.data.transformedContent]] : [],
  )
  assert.deepEqual(said, [['hello', 'hello / hello / today']])
})

test('what was attached is told and read back with its data, though the log keeps it aside', async () => {
  await using model = await startModelServer([{ text: 'seen' }])
  await using place = makeRpcPlace()
  const session = await place.client().createSession(config(model))
  const attached: unknown[] = []
  session.on('user.message', ({ data }) => void attached.push(data.attachments))
  const attachments = [
    { type: 'blob' as const, mimeType: 'text/plain', data: 'aGk=', displayName: 'note' },
    { type: 'blob' as const, mimeType: 'image/png', data: 'iVBORw0KGgo=', displayName: 'dot' },
  ]
  await session.sendAndWait({ prompt: 'look', attachments })
  for (const { type, data } of await session.getEvents())
    if (type === 'user.message') attached.push(data.attachments)
  const { events } = await session.rpc.eventLog.read({ types: ['user.message'] })
  for (const { type, data } of events) if (type === 'user.message') attached.push(data.attachments)
  assert.deepEqual(attached, [attachments, attachments, attachments])
})

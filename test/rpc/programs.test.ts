/** What programs ask of a session beside messages: each is seen in what the model is sent, in events or in another call. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  CopilotRequestHandler,
  RuntimeConnection,
  approveAll,
  defineTool,
  type CopilotSession,
  type ExitPlanModeResult,
  type SessionConfig,
  type SessionEvent,
} from '@github/copilot-sdk'
import { startModelServer, type ModelServer, type Script } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'

const config = ({ baseUrl }: Pick<ModelServer, 'baseUrl'>): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl, apiKey: 'key' },
})

/** What is not in the public part of the SDK's types. */
const plainly = (session: CopilotSession, method: string, params: object = {}): Promise<unknown> =>
  (
    session as unknown as {
      connection: { sendRequest(method: string, params: object): Promise<unknown> }
    }
  ).connection.sendRequest(method, { sessionId: session.sessionId, ...params })

test('a client that makes the requests to the model itself is given them whole, and its answer streams', async () => {
  await using model = await startModelServer([{ text: ['Hel', 'lo.'] }, { text: 'again' }])
  await using place = makeRpcPlace()
  const seen: string[] = []
  class Handler extends CopilotRequestHandler {
    protected override async sendRequest(
      ...[request, context]: Parameters<CopilotRequestHandler['sendRequest']>
    ) {
      seen.push(`${request.method} ${new URL(request.url).host} ${context.sessionId}`)
      const there = request.url.replace('http://nowhere.invalid/v1', model.baseUrl)
      const body = await request.text()
      return fetch(there, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    }
  }
  const client = place.client({ requestHandler: new Handler() })
  const session = await client.createSession(config({ baseUrl: 'http://nowhere.invalid/v1' }))
  assert.equal((await session.sendAndWait('Hi'))?.data.content, 'Hello.')
  assert.equal((await session.sendAndWait('Hi'))?.data.content, 'again')
  assert.deepEqual(seen, Array(2).fill(`POST nowhere.invalid ${session.sessionId}`))
  assert.match(JSON.stringify(model.requests[0]?.body['messages']), /Hi/)
})

test('a plan is shown to the client, which lets the work begin or says what is missing', async () => {
  const exit = { calls: [{ name: 'exit_plan_mode', arguments: { summary: '- do it' } }] }
  const write = (name: string) => ({
    calls: [{ name: 'create', arguments: { path: name, file_text: 'x' } }],
  })
  await using model = await startModelServer([
    exit,
    write('early.txt'),
    { text: 'changed' },
    exit,
    write('late.txt'),
    { text: 'done' },
  ])
  await using place = makeRpcPlace()
  const shown: unknown[] = []
  const answers: ExitPlanModeResult[] = [
    { approved: false, feedback: 'more tests' },
    { approved: true, selectedAction: 'interactive' },
  ]
  const session = await place.client().createSession({
    ...config(model),
    onExitPlanModeRequest: (request) => {
      shown.push(request)
      return answers.shift() ?? { approved: false }
    },
  })
  await session.rpc.mode.set({ mode: 'plan' })
  await session.rpc.plan.update({ content: '# The plan' })
  const outcomes: boolean[] = []
  session.on('tool.execution_complete', ({ data }) => void outcomes.push(data.success))
  const told: string[] = []
  session.on(({ type }) => void (/plan_mode|mode_changed/.test(type) && told.push(type)))
  await session.sendAndWait('Plan it')
  assert.equal(await session.rpc.mode.get(), 'plan')
  assert.match(JSON.stringify(model.requests[1]?.body['messages']), /more tests/)
  await session.sendAndWait('And now')
  assert.equal(await session.rpc.mode.get(), 'interactive')
  assert.deepEqual(outcomes, [true, false, true, true])
  assert.deepEqual(shown[0], {
    summary: '- do it',
    planContent: '# The plan',
    actions: ['autopilot', 'interactive', 'exit_only'],
    recommendedAction: 'interactive',
  })
  assert.deepEqual(told, [
    'exit_plan_mode.requested',
    'exit_plan_mode.completed',
    'exit_plan_mode.requested',
    'exit_plan_mode.completed',
    'session.mode_changed',
  ])
})

const script: Script = ({ body }) => {
  const messages = body['messages'] as { role: string; content: unknown }[]
  const last = JSON.stringify(messages.at(-1))
  return last.includes('show the word') && messages.at(-1)?.role === 'user'
    ? { calls: [{ name: 'bash', arguments: { command: 'echo hush-hush' } }] }
    : { text: `heard: ${last.length}` }
}

test('commands, the window, tools, instructions, questions aside, notices and hidden words', async () => {
  await using model = await startModelServer(script)
  await using place = makeRpcPlace()
  writeFileSync(join(place.project, 'AGENTS.md'), '# Be brief.\n')
  const client = place.client()
  const session = await client.createSession(config(model))
  const told: SessionEvent[] = []
  session.on((event) => void told.push(event))
  const { tools: everywhere } = await client.rpc.tools.list({})
  for (const name of ['bash', 'view', 'edit', 'sql'])
    assert.ok(everywhere.find((tool) => tool.name === name)?.parameters?.['properties'])
  await session.sendAndWait('hello')
  const { tools } = await session.rpc.tools.getCurrentMetadata()
  const sent = model.requests[0]?.body['tools'] as { function: { name: string } }[]
  assert.deepEqual(
    tools?.map(({ name }) => name),
    sent.map((tool) => tool.function.name),
  )

  const asked = { requestId: 'r1', command: 'echo out; exit 3' }
  const ran = (await plainly(session, 'session.shell.executeUserRequested', asked)) as object
  assert.deepEqual(
    { ...ran, toolCallId: '' },
    { toolCallId: '', success: false, output: 'out\n<exited with exit code 3>', exitCode: 3 },
  )
  const long = plainly(session, 'session.shell.executeUserRequested', {
    requestId: 'r2',
    command: 'sleep 60',
  })
  await nextEvent(session, 'tool.execution_start')
  const cancelled = plainly(session, 'session.shell.cancelUserRequested', { requestId: 'r2' })
  assert.deepEqual(await cancelled, { cancelled: true })
  assert.equal(((await long) as { success: boolean }).success, false)
  const file = join(place.project, 'made')
  const { processId } = await session.rpc.shell.exec({
    command: `echo $$ > ${file}.tmp; mv ${file}.tmp ${file}; sleep 60`,
  })
  while (!madeAt(file)) await session.rpc.metadata.isProcessing()
  assert.deepEqual(await session.rpc.shell.kill({ processId }), { killed: true })
  assert.deepEqual(await session.rpc.shell.kill({ processId: 'none' }), { killed: false })

  const { contextAttribution: window } = await session.rpc.metadata.getContextAttribution()
  assert.ok((window?.categories.customInstructions ?? 0) > 0)
  const { freeSpace, buffer } = window?.categories ?? { freeSpace: 0, buffer: 0 }
  assert.equal((window?.totalTokens ?? 0) + freeSpace + buffer, window?.limit)
  assert.ok(window?.entries.some(({ id }) => id === 'toolDefinition:bash'))
  const { messages } = await session.rpc.metadata.getContextHeaviestMessages({ limit: 1 })
  assert.match(messages[0]?.label ?? '', /sleep 60|echo out/)
  const counted = await session.rpc.metadata.recomputeContextTokens({ modelId: 'test-model' })
  assert.equal(counted.totalTokens, counted.messagesTokenCount + counted.systemTokenCount)
  const { sources } = await session.rpc.instructions.getSources()
  assert.deepEqual(
    sources.map(({ sourcePath, content }) => [sourcePath, content]),
    [['AGENTS.md', '# Be brief.']],
  )

  const before = (await session.getEvents()).length
  const { answer } = await session.rpc.ui.ephemeralQuery({ question: 'what was that?' })
  assert.match(answer, /heard/)
  const aside = model.requests.at(-1)?.body
  assert.match(JSON.stringify(aside?.['messages']), /hello.*what was that\?/s)
  assert.equal(aside?.['tools'], undefined)
  assert.equal((await session.getEvents()).length, before)
  const phases = told.flatMap((event) =>
    event.type === ('ui.ephemeral_query' as string)
      ? [(event.data as { phase: string }).phase]
      : [],
  )
  assert.deepEqual(phases, ['started', 'completed'])

  const idle = nextEvent(session, 'session.idle')
  await plainly(session, 'session.sendSystemNotification', { message: 'the build is green' })
  await idle
  const notified = (await session.getEvents()).findLast(({ type }) => type === 'user.message')
  assert.match(JSON.stringify(notified?.data), /<system_notification>.*build is green/)
  assert.equal((notified?.data as { source?: string } | undefined)?.source, 'system')

  assert.deepEqual(await client.rpc.secrets.addFilterValues({ values: ['hush-hush'] }), {
    ok: true,
  })
  told.length = 0
  await session.sendAndWait('show the word')
  const pieces = told.filter(({ type }) => type === 'tool.execution_partial_result')
  assert.match(JSON.stringify(pieces), /\*{6}/)
  assert.doesNotMatch(JSON.stringify(pieces), /hush/)
})

test('providers are added to a session and told where that is allowed; settings are those of the home', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const env = { ...place.env, COPILOT_ALLOW_GET_PROVIDER_ENDPOINT: 'true' }
  const client = place.client({ connection: RuntimeConnection.forStdio({ path: place.path, env }) })
  const one = { name: 'one', type: 'openai' as const, baseUrl: model.baseUrl, apiKey: 'k1' }
  const session = await client.createSession({
    onPermissionRequest: approveAll,
    providers: [one],
    models: [{ id: 'm1', provider: 'one' }],
    model: 'one/m1',
  })
  const two = { name: 'two', type: 'openai' as const, baseUrl: model.baseUrl, apiKey: 'k2' }
  await session.rpc.provider.add({ providers: [two], models: [{ id: 'm2', provider: 'two' }] })
  await assert.rejects(session.rpc.provider.add({ providers: [two] }), /"two" already/)
  const { list } = await session.rpc.model.list()
  assert.deepEqual(
    list.map((entry) => (entry as { id: string }).id),
    ['one/m1', 'two/m2'],
  )
  await session.rpc.model.switchTo({ modelId: 'two/m2' })
  await session.sendAndWait('hi')
  assert.equal(model.requests[0]?.body['model'], 'm2')
  assert.equal(model.requests[0]?.headers['authorization'], 'Bearer k2')
  assert.deepEqual(await session.rpc.provider.getEndpoint({}), {
    type: 'openai',
    baseUrl: model.baseUrl,
    headers: {},
    transport: 'http',
    wireApi: 'completions',
    apiKey: 'k2',
  })

  await client.rpc.user.settings.set({ settings: { answerWaitMinutes: 7 } })
  const { settings } = await client.rpc.user.settings.get()
  assert.deepEqual(settings['answerWaitMinutes'], { value: 7, default: null, isDefault: false })
  const bad = client.rpc.user.settings.set({ settings: { answerWaitMinutes: null, nonsense: 1 } })
  await assert.rejects(bad, /no setting "nonsense"/)
  const kept: unknown = JSON.parse(readFileSync(join(place.home, '.reprise/config.json'), 'utf8'))
  assert.deepEqual(kept, { answerWaitMinutes: 7 })
})

test('shell commands of one answer run side by side', async () => {
  const shell = (command: string) => ({ name: 'bash', arguments: { command } })
  await using model = await startModelServer([
    { calls: [shell('sleep 0.7; touch a'), shell('sleep 0.7; touch b')] },
    { text: 'ok' },
  ])
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    ...config(model),
    enableFileChangeTracking: true,
  })
  const told: string[] = []
  session.on(({ type }) => void (/tool\.execution_(start|complete)/.test(type) && told.push(type)))
  await session.sendAndWait('go')
  const [start, complete] = ['tool.execution_start', 'tool.execution_complete']
  assert.deepEqual(told, [start, start, complete, complete])
  const { points } = await session.rpc.history.listRewindPoints()
  const eventId = points[0]?.eventId ?? ''
  const { fileCount } = await session.rpc.history.previewRewind({ eventId })
  assert.equal(fileCount, 2)
  await session.rpc.history.rewind({ eventId, mode: 'conversation-and-files' })
  assert.deepEqual(
    [existsSync(join(place.project, 'a')), existsSync(join(place.project, 'b'))],
    [false, false],
  )
})

test('a result that a client rejects ends the turn, and what was done is told in a file', async () => {
  await using model = await startModelServer([{ calls: [{ name: 'ask', arguments: {} }] }])
  await using place = makeRpcPlace()
  const filePath = join(place.home, 'spans.jsonl')
  const client = place.client({ telemetry: { exporterType: 'file', filePath } })
  const session = await client.createSession({
    ...config(model),
    tools: [
      defineTool('ask', {
        description: 'Asks.',
        handler: () => ({ textResultForLlm: 'no', resultType: 'rejected' as const }),
      }),
    ],
  })
  const ended = nextEvent(session, 'tool.execution_complete')
  await session.sendAndWait('go')
  const { error } = (await ended).data as { error?: { code: string } }
  assert.equal(error?.code, 'rejected')
  assert.equal(model.requests.length, 1)
  await client.stop()
  const spans = readFileSync(filePath, 'utf8').trim().split('\n')
  const names = spans.map((line) => (JSON.parse(line) as { name: string }).name)
  for (const name of ['turn', 'tool', 'model_call'])
    assert.ok(names.includes(name), names.join(' '))
})

function madeAt(path: string): boolean {
  try {
    return readFileSync(path, 'utf8') !== ''
  } catch {
    return false
  }
}

/** Sessions whose client brings the model: provider, tools, system message, questions and compaction by the real SDK. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { RuntimeConnection, approveAll, defineTool, type SessionConfig } from '@github/copilot-sdk'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl, apiKey: 'key-of-the-client' },
})

test('the provider, the model, the key and the system message of the client are used', async () => {
  await using model = await startModelServer([{ text: ['Hel', 'lo.'] }])
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    ...config(model),
    streaming: true,
    systemMessage: { mode: 'append', content: 'Speak in verse.' },
  })
  const pieces: string[] = []
  session.on('assistant.message_delta', ({ data }) => pieces.push(data.deltaContent))
  const answer = await session.sendAndWait('Hi')
  assert.equal(answer?.data.content, 'Hello.')
  assert.deepEqual(pieces, ['Hel', 'lo.'])
  const [asked] = model.requests
  assert.equal(asked?.headers['authorization'], 'Bearer key-of-the-client')
  assert.equal(asked?.body['model'], 'test-model')
  assert.match(JSON.stringify(asked?.body['messages']), /Speak in verse\./)
  assert.doesNotMatch(JSON.stringify(await session.getEvents()), /key-of-the-client/)
  const { modelId } = await session.rpc.model.getCurrent()
  assert.equal(modelId, 'test-model')
  const metrics = await session.rpc.usage.getMetrics()
  assert.equal(metrics.modelMetrics['test-model']?.usage.outputTokens, 10)
  const { contextInfo } = await session.rpc.metadata.contextInfo({
    promptTokenLimit: 100_000,
    outputTokenLimit: 0,
  })
  const { toolDefinitionsTokens = 0, totalTokens = 0 } = contextInfo ?? {}
  const sent = JSON.stringify(asked?.body['tools']).length / 4
  assert.ok(Math.abs(toolDefinitionsTokens - sent) < sent / 4, `${toolDefinitionsTokens} ${sent}`)
  assert.ok(totalTokens > toolDefinitionsTokens)
})

test('a tool of the client is called with its arguments, and its result reaches the model', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'weather', arguments: { city: 'Oslo' }, id: 'call-1' }] },
    { calls: [{ name: 'weather', arguments: { city: 'Atlantis' }, id: 'call-2' }] },
    { text: 'Snow.' },
  ])
  await using place = makeRpcPlace()
  const asked: unknown[] = []
  const session = await place.client().createSession({
    ...config(model),
    tools: [
      defineTool('weather', {
        description: 'The weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        handler: (args: unknown, { toolCallId }) => {
          asked.push([args, toolCallId])
          if (JSON.stringify(args).includes('Atlantis')) throw new Error('no such city')
          return 'snow'
        },
      }),
    ],
  })
  const answer = await session.sendAndWait('How is the weather?')
  assert.equal(answer?.data.content, 'Snow.')
  assert.deepEqual(asked, [
    [{ city: 'Oslo' }, 'call-1'],
    [{ city: 'Atlantis' }, 'call-2'],
  ])
  assert.match(JSON.stringify(model.requests[0]?.body['tools']), /The weather of a city/)
  assert.match(JSON.stringify(model.requests[1]?.body['messages']), /"snow"/)
  const types = (await session.getEvents()).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'external_tool.requested').length, 2)
  assert.ok(types.indexOf('tool.execution_start') < types.indexOf('external_tool.requested'))
})

test('calls of one answer run side by side, and their questions are open at once', async () => {
  await using model = await startModelServer([
    {
      calls: [
        { name: 'meet', arguments: { who: 'one' }, id: 'call-1' },
        { name: 'meet', arguments: { who: 'two' }, id: 'call-2' },
      ],
    },
    { text: 'Met.' },
  ])
  await using place = makeRpcPlace()
  const [asked, came] = [meeting(), meeting()]
  const session = await place.client().createSession({
    ...config(model),
    async onPermissionRequest({ toolCallId = '' }) {
      await asked.all(2)
      // The second question is answered first.
      if (toolCallId === 'call-1') await came.all(1)
      return { kind: 'approve-once' }
    },
    tools: [
      defineTool('meet', {
        description: 'Waits for the other.',
        parameters: { type: 'object', properties: { who: { type: 'string' } } },
        handler: async (args: unknown, { toolCallId }) => {
          await came.all(2)
          return `${toolCallId} is ${(args as { who: string }).who}`
        },
      }),
    ],
  })
  assert.equal((await session.sendAndWait('Meet.'))?.data.content, 'Met.')
  const results = (
    (model.requests[1]?.body['messages'] ?? []) as { role: string; content: string }[]
  )
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
  assert.deepEqual(results, ['call-1 is one', 'call-2 is two'])
})

/** Each that comes waits until so many have come. */
function meeting() {
  let count = 0
  const waiting: { many: number; resolve: () => void }[] = []
  return {
    all(many: number): Promise<void> {
      if (many > 1) count++
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ many, resolve })
      for (const each of waiting) if (count >= each.many) each.resolve()
      return promise
    },
  }
}

test('without any model a message fails in words, and help is not taken for an answer', async () => {
  await using place = makeRpcPlace()
  const env = { ...place.env, REPRISE_AGENT: '', PATH: dirname(process.execPath) }
  const session = await place
    .client({ connection: RuntimeConnection.forStdio({ path: place.path, env }) })
    .createSession({ onPermissionRequest: approveAll })
  await assert.rejects(session.sendAndWait('Hi'), /No model is configured/)
  const types = (await session.getEvents()).map(({ type }) => type)
  assert.equal(types.includes('assistant.message'), false)
})

test('what a tool of the client throws is in the event and never reaches the model', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'boom', arguments: {}, id: 'thrown' }] },
    { calls: [{ name: 'sulk', arguments: {}, id: 'said' }] },
    { text: 'Well.' },
    { text: 'Again.' },
  ])
  await using place = makeRpcPlace()
  const tool = (name: string, handler: () => unknown) =>
    defineTool(name, { description: name, handler, skipPermission: true })
  const session = await place.client().createSession({
    ...config(model),
    tools: [
      tool('boom', () => {
        throw new Error('SECRET of boom')
      }),
      tool('sulk', () => ({
        resultType: 'failure',
        textResultForLlm: 'Not today.',
        error: 'SECRET of sulk',
      })),
    ],
  })
  await session.sendAndWait('Try both.')
  await session.sendAndWait('And again.')
  const failed = (await session.getEvents()).flatMap((event) =>
    event.type === 'tool.execution_complete' ? [event.data.error] : [],
  )
  assert.deepEqual(failed, [
    { message: 'SECRET of boom', code: 'failure' },
    { message: 'SECRET of sulk', code: 'failure' },
  ])
  assert.equal(model.requests.length, 4)
  for (const { raw } of model.requests) assert.doesNotMatch(raw, /SECRET/)
  assert.match(model.requests[3]?.raw ?? '', /The tool failed\..*Not today\./)
})

test('a turn that waits for a tool of the client can be aborted, and the session goes on', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'wait', arguments: {} }] },
    { text: 'Fine.' },
  ])
  await using place = makeRpcPlace()
  let wasAborted = false
  const session = await place.client().createSession({
    ...config(model),
    tools: [
      defineTool('wait', {
        description: 'Never ends.',
        skipPermission: true,
        handler: (_args: unknown, { signal }) =>
          new Promise(() => signal?.addEventListener('abort', () => (wasAborted = true))),
      }),
    ],
  })
  const requested = nextEvent(session, 'external_tool.requested')
  const idle = nextEvent(session, 'session.idle')
  await session.send('Wait.')
  await requested
  await session.abort()
  await idle
  assert.equal((await session.sendAndWait('And now?'))?.data.content, 'Fine.')
  assert.equal(wasAborted, true)
})

test('the model asks a person by the SDK, and its context is compacted on demand', async () => {
  await using model = await startModelServer([
    { calls: [{ name: 'ask_user', arguments: { question: 'Tea or coffee?' } }] },
    { text: 'Tea it is.' },
    { text: '<overview>They want tea.</overview>' },
  ])
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    ...config(model),
    onUserInputRequest: ({ question }) => ({ answer: `${question} Tea.`, wasFreeform: true }),
  })
  assert.equal((await session.sendAndWait('Drink?'))?.data.content, 'Tea it is.')
  assert.match(JSON.stringify(model.requests[1]?.body['messages']), /Tea or coffee\? Tea\./)
  const compacted = await session.rpc.history.compact()
  assert.equal(compacted.success, true)
  assert.match(compacted.summaryContent ?? '', /tea/i)
  const { checkpoints } = await session.rpc.workspaces.listCheckpoints()
  assert.deepEqual(
    checkpoints.map(({ number }) => number),
    [1],
  )
})

test('a session resumed by a client without a provider does not inherit one from the log', async () => {
  await using model = await startModelServer([{ text: 'Once.' }])
  await using place = makeRpcPlace()
  const first = place.client()
  const { sessionId } = await first.createSession(config(model)).then(async (session) => {
    await session.sendAndWait('Hi')
    return session
  })
  await first.stop()
  const again = await place.client().resumeSession(sessionId, { onPermissionRequest: approveAll })
  const answer = await again.sendAndWait('Hi again')
  assert.match(answer?.data.content ?? '', /no model/i)
  assert.equal(model.requests.length, 1)
})

test('a provider that cannot be used is an error of the session, in words', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    onPermissionRequest: approveAll,
    provider: { type: 'openai', baseUrl: 'http://127.0.0.1:9/v1' },
  })
  await assert.rejects(session.sendAndWait('Hi'), /provider and no model/)
})

test('files, folders, selections and blobs are attached as the SDK puts them; what is none is refused by its field', async () => {
  await using model = await startModelServer([{ text: 'Seen.' }])
  await using place = makeRpcPlace()
  const file = join(place.project, 'note.txt')
  await writeFile(file, 'the note')
  const session = await place.client().createSession(config(model))
  await session.sendAndWait({
    prompt: 'Look',
    attachments: [
      { type: 'file', path: file },
      { type: 'directory', path: place.project },
      { type: 'selection', filePath: file, displayName: 'note.txt', text: 'note' },
      { type: 'blob', data: 'aGk=', mimeType: 'text/plain' },
    ],
  })
  const said = (await session.getEvents()).find(({ type }) => type === 'user.message')!
  const { attachments } = said.data as { attachments: { type: string; displayName?: string }[] }
  assert.deepEqual(
    attachments.map(({ type, displayName }) => [type, displayName]),
    [
      ['file', 'note.txt'],
      ['directory', 'project'],
      ['selection', 'note.txt'],
      ['blob', undefined],
    ],
  )
  assert.match(JSON.stringify(model.requests[0]?.body['messages']), /note\.txt/)
  await assert.rejects(
    session.send({ prompt: 'Look', attachments: [{ type: 'file' } as never] }),
    /Invalid parameters of session\.send: attachments\.0\.path/,
  )
})

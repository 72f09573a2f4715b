import assert from 'node:assert/strict'
import test from 'node:test'
import type { Provider } from '../../src/agents/model/config.ts'
import { providerValid } from '../../src/state/provider-valid.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import { contextLimit, type Dialect, type Failure, type Reply } from '../model-server/reply.ts'
import { startModelServer } from '../model-server/server.ts'
import { converse, eventsOf, typesOf } from '../support/engine.ts'
import { MODELS, dataOf, noticesDuring, openPlace, spoken } from './place.ts'

const providers = Object.keys(MODELS) as Provider[]
const dialects: Record<Provider, Dialect> = {
  'openai-compatible': 'chat',
  openai: 'responses',
  anthropic: 'messages',
}

const SUMMARY = '<overview>\nWe talked.\n</overview>\n'

test('a call that can succeed later is tried again; what came of it is kept apart', async () => {
  const failures: (Failure | Reply)[] = [
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 503 },
    { text: 'Half an ans', cut: 'broken' },
    { text: 'Half an', cut: 'ended' },
  ]
  for (const provider of providers) {
    await using here = await openPlace([...failures, { text: 'The answer.' }], provider)
    const waits: number[] = []
    const wait = async (ms: number) => void waits.push(ms)
    const engine = here.engine({}, { parts: { wait } })
    const { id } = await engine.create({ cwd: here.cwd })
    await (await engine.open(id)).save()
    const notices = await noticesDuring(engine, id, async () => {
      assert.equal((await converse(engine, id, { prompt: 'hi' })).status, 'completed')
    })
    assert.equal(waits.length, 4)
    assert.equal(waits[0], 7000)
    assert.ok((waits[1] ?? 0) >= 750 && (waits[2] ?? 0) >= 1500)
    assert.deepEqual(
      notices.flatMap(({ type, data }) =>
        type === 'assistant.turn_retry' ? [(data as { attempt?: number }).attempt] : [],
      ),
      [1, 2, 3, 4],
    )
    assert.deepEqual(
      (await dataOf(engine, id, 'assistant.message'))
        .filter(({ reprise }) => reprise?.unfinished !== 'retried')
        .map(({ content }) => content),
      ['The answer.'],
    )
    const bodies = here.server.requests.map(({ raw }) => raw)
    assert.deepEqual(new Set(bodies).size, 1)
  }
})

test('when every try fails the turn fails, says why, and the next one works', async () => {
  await using here = await openPlace(({ index }) => (index < 3 ? { status: 500 } : { text: 'ok' }))
  const engine = here.engine({ maxRetries: 2 })
  const { id } = await engine.create({ cwd: here.cwd })
  const { status, error } = await converse(engine, id, { prompt: 'hi' })
  assert.equal(status, 'failed')
  assert.match(error ?? '', /^127\.0\.0\.1:\d+ failed \(500: .*\)\. It was tried 3 times\./)
  assert.equal((await converse(engine, id, { prompt: 'again' })).status, 'completed')
  assert.deepEqual(spoken(here.server.requests.at(-1)?.body), ['user: hi\n\nagain'])
})

test('programs are told of which kind a failure is, and what the provider answered', async () => {
  for (const [status, errorType] of [
    [401, 'authentication'],
    [404, 'query'],
    [400, 'query'],
  ] as const) {
    await using here = await openPlace([{ status }])
    const engine = here.engine()
    const { id } = await engine.create({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'hi' })
    const [told] = await dataOf(engine, id, 'session.error')
    assert.deepEqual([told?.errorType, told?.statusCode], [errorType, status])
  }
})

test('who is told to wait for an hour is told so at once', async () => {
  await using here = await openPlace([{ status: 429, headers: { 'retry-after': '3600' } }])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  const { error } = await converse(engine, id, { prompt: 'hi' })
  assert.match(error ?? '', /It asks to wait 3600 seconds/)
  assert.equal(here.server.requests.length, 1)
})

test('an address where nobody listens is tried again and then named', async () => {
  await using here = await openPlace([])
  const gone = await startModelServer([])
  await gone[Symbol.asyncDispose]()
  const engine = here.engine({ baseUrl: gone.baseUrl, maxRetries: 1 })
  const { id } = await engine.create({ cwd: here.cwd })
  const { error } = await converse(engine, id, { prompt: 'hi' })
  assert.match(error ?? '', /^127\.0\.0\.1:\d+ could not be reached .* It was tried 2 times/)
})

test('wrong credentials are told plainly, with what to set, and not tried again', async () => {
  await using here = await openPlace(
    () => ({ status: 401, body: { error: { message: 'bad key' } } }),
    'anthropic',
  )
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  const { error } = await converse(engine, id, { prompt: 'hi' })
  assert.match(
    error ?? '',
    /^Anthropic did not accept the credentials \(401: bad key\)\. Set ANTHROPIC_API_KEY/,
  )
  assert.equal(here.server.requests.length, 1)
})

test('without a key nothing is sent to a provider of the network', async () => {
  await using here = await openPlace([])
  const { baseUrl: _, apiKey: __, ...config } = here.config
  const { modelAgent } = await import('../../src/agents/model/model.ts')
  const agent = modelAgent({ ...config, provider: 'openai' })
  const engine = here.home.engine({ agent })
  const { id } = await engine.create({ cwd: here.cwd })
  const { error } = await converse(engine, id, { prompt: 'hi' })
  assert.equal(
    error,
    'There is no API key for openai. Set OPENAI_API_KEY in the environment, or name another variable with "reprise config set model.apiKeyEnv". Nothing was sent.',
  )
})

test('a conversation that is too long is compacted, and the turn goes on', async () => {
  for (const provider of providers) {
    await using here = await openPlace(
      [
        { text: 'first answer' },
        contextLimit(dialects[provider]),
        { text: SUMMARY },
        { text: 'second answer' },
      ],
      provider,
    )
    const engine = here.engine()
    const { id } = await engine.create({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'one' })
    assert.equal((await converse(engine, id, { prompt: 'two' })).status, 'completed')
    const [compaction] = await dataOf(engine, id, 'session.compaction_complete')
    assert.deepEqual([compaction?.success, compaction?.summaryContent], [true, SUMMARY])
    assert.match(here.server.requests[2]?.raw ?? '', /next_steps/)
    assert.match(here.server.requests[3]?.raw ?? '', /We talked\./)
    assert.doesNotMatch(here.server.requests[3]?.raw ?? '', /first answer/)
  }
})

test('a conversation too long to be summarised whole is summarised in short', async () => {
  await using here = await openPlace(({ index }) => {
    if (index === 0) return { text: 'an answer' }
    return index === 1 ? contextLimit('chat') : { text: SUMMARY }
  })
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'one' })
  await (await engine.open(id)).compact({ instructions: 'Mind the colours.' })
  const [whole, short] = here.server.requests.slice(1).map(({ body }) => spoken(body))
  assert.equal(whole?.length, 3)
  assert.equal(short?.length, 1)
  assert.match(
    short?.[0] ?? '',
    /^user: <conversation trust="untrusted">\nuser: one\n\nassistant: an answer\n<\/conversation>[^]*Mind the colours\.$/,
  )
})

test('a turn that is cancelled while the model speaks leaves a valid history', async () => {
  for (const provider of providers) {
    const never = new Promise(() => {})
    await using here = await openPlace(
      ({ index }) => (index === 0 ? { text: 'I begin', until: never } : { text: 'Here again.' }),
      provider,
    )
    const engine = here.engine()
    const { id } = await engine.create({ cwd: here.cwd })
    await (await engine.open(id)).save()
    const follower = (await engine.open(id)).follow()
    const told = (async () => {
      for await (const item of follower)
        if (item.kind === 'notice' && item.notice.type === 'assistant.message_delta') return
    })()
    const turn = converse(engine, id, { prompt: 'go' })
    await told
    await (await engine.open(id)).cancel()
    assert.equal((await turn).status, 'cancelled')
    assert.deepEqual((await typesOf(engine, id)).slice(-4), [
      'system.message',
      'assistant.message',
      'abort',
      'assistant.turn_end',
    ])
    await (await engine.open(id)).changeQueue({ kind: 'release' })
    assert.equal((await converse(engine, id, { prompt: 'again' })).status, 'completed')
    assert.match(here.server.requests[1]?.raw ?? '', /assistant.{1,60}I begin/)
  }
})

test('a turn that is cancelled while a tool runs ends the tool and settles it', async () => {
  await using here = await openPlace([
    { calls: [{ name: 'bash', arguments: { command: 'echo begun; sleep 300' } }] },
    { text: 'ok' },
  ])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  await (await engine.open(id)).save()
  const told = (async () => {
    for await (const item of (await engine.open(id)).follow())
      if (item.kind === 'notice' && item.notice.type === 'tool.execution_partial_result') return
  })()
  const turn = converse(engine, id, { prompt: 'go' })
  await told
  await (await engine.open(id)).cancel()
  assert.equal((await turn).status, 'cancelled')
  await converse(engine, id, { prompt: 'again' })
  assert.deepEqual(spoken(here.server.requests[1]?.body), [
    'user: go',
    'assistant: [bash]',
    'tool: begun\n\n[interrupted before a result was recorded]',
    'user: again',
  ])
  const events = await eventsOf(engine, id)
  const { messages } = projectModelContext(
    events.map((event, index) => ({ event, start: index, end: index + 1 })),
  )
  assert.deepEqual(providerValid(messages), messages)
})

test('a stream that falls silent is given up', async () => {
  const never = new Promise(() => {})
  await using here = await openPlace(({ index }) =>
    index === 0 ? { text: 'and then', until: never } : { text: 'All of it.' },
  )
  const engine = here.engine({ idleTimeoutMs: 50 })
  const { id } = await engine.create({ cwd: here.cwd })
  assert.equal((await converse(engine, id, { prompt: 'hi' })).status, 'completed')
  const messages = await dataOf(engine, id, 'assistant.message')
  assert.deepEqual(
    messages.map(({ content, reprise }) => [content, reprise?.unfinished]),
    [
      ['and then', 'retried'],
      ['All of it.', undefined],
    ],
  )
})

/** Of each dialect, what a server gives that knows no streams: some words and a call. */
const WHOLE: Record<Provider, unknown> = {
  'openai-compatible': {
    id: 'w',
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'glob', arguments: '{"pattern":"*"}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  },
  openai: {
    id: 'w',
    created_at: 1,
    model: 'm',
    output: [
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      {
        type: 'function_call',
        id: 'f',
        call_id: 'c',
        name: 'glob',
        arguments: '{"pattern":"*"}',
        status: 'completed',
      },
    ],
    usage: { input_tokens: 7, output_tokens: 3 },
  },
  anthropic: {
    id: 'w',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'c', name: 'glob', input: { pattern: '*' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 7, output_tokens: 3 },
  },
}

test('a whole answer in place of a stream is read, and not asked for again', async () => {
  for (const provider of providers) {
    const whole = { status: 200, body: WHOLE[provider] }
    await using here = await openPlace([whole, { text: 'Seen.' }], provider)
    const engine = here.engine()
    const { id } = await engine.create({ cwd: here.cwd })
    assert.equal((await converse(engine, id, { prompt: 'hi' })).status, 'completed')
    assert.equal(here.server.requests.length, 2)
    const [first, second] = await dataOf(engine, id, 'assistant.message')
    assert.equal(first?.content, 'I look.')
    assert.deepEqual(
      first?.toolRequests?.map(({ name, arguments: args }) => [name, args]),
      [['glob', { pattern: '*' }]],
    )
    assert.equal(second?.content, 'Seen.')
    const [record] = await dataOf(engine, id, 'session.usage_record')
    assert.deepEqual([record?.usage.inputTokens, record?.usage.outputTokens], [7, 3])
  }
})

test('a web page where a model should be is not asked for again', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }
  await using here = await openPlace([page])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  const { error } = await converse(engine, id, { prompt: 'hi' })
  assert.match(error ?? '', /^127\.0\.0\.1:\d+ answered with a web page, and not as a model does\./)
  assert.equal(here.server.requests.length, 1)
})

test('an answer of nothing is told, and what the model only thought too', async () => {
  for (const provider of providers) {
    await using here = await openPlace([{}, { reasoning: 'Hm.' }], provider)
    const engine = here.engine()
    const { id } = await engine.create({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'one' })
    await converse(engine, id, { prompt: 'two' })
    assert.deepEqual(
      (await dataOf(engine, id, 'session.warning')).map(({ message }) => message),
      ['said', 'thought, and then said'].map(
        (did) => `The model ${did} nothing. Ask it again, or go on with another message.`,
      ),
    )
  }
})

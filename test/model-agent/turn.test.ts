import assert from 'node:assert/strict'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { Provider } from '../../src/agents/model/config.ts'
import { toMarkdown } from '../../src/state/transcript-markdown.ts'
import { converse, typesOf } from '../support/engine.ts'
import { MODELS, dataOf, noticesDuring, openPlace, spoken } from './place.ts'

const providers = Object.keys(MODELS) as Provider[]

test('a model answers in every dialect: told in pieces, stored whole, counted', async () => {
  for (const provider of providers) {
    const usage = { input: 120, output: 7, cacheRead: 20 }
    await using here = await openPlace([{ text: ['Hel', 'lo'], usage }], provider)
    const engine = here.engine({ price: () => ({ input: 3, output: 15, cacheRead: 0.3 }) })
    const { id } = await engine.create({ cwd: here.cwd })
    await (await engine.open(id)).save()
    const notices = await noticesDuring(engine, id, () => converse(engine, id, { prompt: 'hi' }))
    const deltas = notices.flatMap((notice) =>
      notice.type === 'assistant.message_delta' ? [notice.data.deltaContent] : [],
    )
    assert.deepEqual(deltas, ['Hel', 'lo'])
    assert.deepEqual((await typesOf(engine, id)).slice(1), [
      'user.message',
      'assistant.turn_start',
      'system.message',
      'assistant.message',
      'session.usage_record',
      'assistant.turn_end',
    ])
    const [message] = await dataOf(engine, id, 'assistant.message')
    assert.deepEqual([message?.content, message?.outputTokens], ['Hello', 7])
    const [record] = await dataOf(engine, id, 'session.usage_record')
    const { inputTokens, outputTokens, cacheReadTokens, cost, model } = record?.usage ?? {}
    assert.equal(record?.reprise?.dollars, 0.000411)
    assert.deepEqual(
      { inputTokens, outputTokens, cacheReadTokens, cost, model },
      {
        inputTokens: 120,
        outputTokens: 7,
        cacheReadTokens: 20,
        cost: undefined,
        model: MODELS[provider],
      },
    )
    const used = (await (await engine.open(id)).state()).usage
    assert.deepEqual([used.cost, used.dollars], [0, 0.000411])
  }
})

test('tools run through the permissions, and the model gets their results, in every dialect', async () => {
  for (const provider of providers) {
    await using here = await openPlace(
      [
        {
          text: 'Looking.',
          calls: [{ name: 'bash', arguments: { command: 'echo found; exit 3' } }],
        },
        { calls: [{ name: 'create', arguments: { path: 'a.txt', file_text: 'made\n' } }] },
        { text: 'Done.' },
      ],
      provider,
    )
    const engine = here.engine()
    const { id } = await engine.create({ cwd: here.cwd })
    assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')
    assert.equal(await readFile(join(here.cwd, 'a.txt'), 'utf8'), 'made\n')
    const ended = await dataOf(engine, id, 'tool.execution_complete')
    assert.deepEqual(
      ended.map(({ success, result }) => [success, result?.content]),
      [
        [true, 'found\n<exited with exit code 3>'],
        [true, 'Wrote 5 bytes to a.txt.'],
      ],
    )
    assert.equal((await dataOf(engine, id, 'permission.completed')).length, 2)
    assert.equal(here.server.requests.length, 3)
    assert.match(here.server.requests[1]?.raw ?? '', /found\\n<exited with exit code 3>/)
    const { usage, turns, openTurns } = await (await engine.open(id)).state()
    assert.deepEqual([usage.requests, turns.length, openTurns], [3, 1, []])
    // A round for every call of the model; only the end of the last one ends the turn.
    assert.deepEqual(
      (await typesOf(engine, id)).filter((type) => type.startsWith('assistant.turn')),
      Array.from({ length: 3 }, () => ['assistant.turn_start', 'assistant.turn_end']).flat(),
    )
    assert.deepEqual(
      (await dataOf(engine, id, 'assistant.turn_end')).map(({ reprise }) => reprise?.goesOn),
      [true, true, undefined],
    )
  }
})

test('a denied call is told to the model, which goes on', async () => {
  await using here = await openPlace([
    { calls: [{ name: 'bash', arguments: { command: 'rm -rf /' } }] },
    { text: 'I will not.' },
  ])
  const engine = here.engine({}, { policy: () => ({ kind: 'deny', by: 'policy' }) })
  const { id } = await engine.create({ cwd: here.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')
  assert.deepEqual(spoken(here.server.requests[1]?.body), [
    'user: go',
    'assistant: [bash]',
    'tool: A rule of the host denied this. Nothing was done.',
  ])
})

test('a no without words ends the turn; what waits behind it is sent, and the model is told then', async () => {
  await using here = await openPlace([
    {
      calls: [
        { name: 'view', arguments: { path: 'a.txt' } },
        { name: 'bash', arguments: { command: 'touch never' } },
        { name: 'create', arguments: { path: 'neither', file_text: '' } },
      ],
    },
    { text: 'Then not.' },
  ])
  await writeFile(join(here.cwd, 'a.txt'), 'x\n')
  const engine = here.engine(
    {},
    {
      policy: ({ kind }) =>
        kind === 'shell' ? { kind: 'deny', by: 'person' } : { kind: 'allow', by: 'policy' },
    },
  )
  const { id } = await engine.create({ cwd: here.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'cancelled')
  assert.equal(here.server.requests.length, 1)
  const ended = await dataOf(engine, id, 'tool.execution_complete')
  assert.deepEqual(
    ended.map(({ error, result }) => error?.code ?? result?.content),
    ['1. x', 'rejected', 'interrupted'],
  )
  assert.deepEqual(await readdir(here.cwd), ['a.txt'])
  assert.deepEqual(await dataOf(engine, id, 'abort'), [{ reason: 'user_initiated' }])
  assert.equal((await converse(engine, id, { prompt: 'and now?' })).status, 'completed')
  assert.deepEqual(spoken(here.server.requests[1]?.body), [
    'user: go',
    'assistant: [view][bash][create]',
    'tool: 1. x',
    'tool: A person denied this. Nothing was done.',
    'tool: interrupted before a result was recorded',
    'user: and now?',
  ])
})

test('a no with words is told to the model, which goes on', async () => {
  await using here = await openPlace([
    { calls: [{ name: 'bash', arguments: { command: 'touch x' } }] },
    { text: 'y it is.' },
  ])
  const engine = here.engine(
    {},
    { policy: () => ({ kind: 'deny', by: 'person', feedback: 'use y' }) },
  )
  const { id } = await engine.create({ cwd: here.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')
  assert.deepEqual(spoken(here.server.requests[1]?.body), [
    'user: go',
    'assistant: [bash]',
    'tool: A person denied this. Nothing was done. They said: use y',
  ])
})

test('calls that may write the same path wait for each other, others do not', async () => {
  const edit = (from: string, to: string) => ({
    name: 'edit',
    arguments: { path: 'a.txt', old_str: from, new_str: to },
  })
  await using here = await openPlace([
    {
      calls: [
        edit('one', 'two'),
        edit('two', 'three'),
        { name: 'view', arguments: { path: 'a.txt' } },
        { name: 'bash', arguments: { command: 'cat a.txt; echo four > a.txt' } },
        { name: 'view', arguments: { path: 'a.txt' } },
      ],
    },
    { calls: ['b', 'c'].map((path) => ({ name: 'create', arguments: { path, file_text: path } })) },
    { text: 'ok' },
  ])
  await writeFile(join(here.cwd, 'a.txt'), 'one\n')
  const both = Promise.withResolvers<void>()
  let creating = 0
  const engine = here.engine(
    {},
    {
      async policy(request) {
        if (request.kind === 'write' && /[bc]$/.test(request.fileName)) {
          if (++creating === 2) both.resolve()
          await both.promise
        }
        return { kind: 'allow', by: 'policy' }
      },
    },
  )
  const { id } = await engine.create({ cwd: here.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')
  const told = spoken(here.server.requests[1]?.body).slice(2)
  assert.deepEqual(told.slice(2), ['tool: 1. three', 'tool: three', 'tool: 1. four'])
  assert.deepEqual(spoken(here.server.requests[2]?.body).slice(-2), [
    'tool: Wrote 1 bytes to b.',
    'tool: Wrote 1 bytes to c.',
  ])
})

test('a picture that a tool shows reaches the model, in this turn and in later ones, in every dialect', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  for (const provider of providers) {
    await using here = await openPlace(
      [
        {
          calls: [
            { name: 'view', arguments: { path: 'a.png' } },
            { name: 'view', arguments: { path: 'b.txt' } },
          ],
        },
        { text: 'A picture.' },
        { text: 'Still there.' },
      ],
      provider,
    )
    await writeFile(join(here.cwd, 'a.png'), png)
    await writeFile(join(here.cwd, 'b.txt'), 'x\n')
    const engine = here.engine()
    const { id } = await engine.create({ cwd: here.cwd })
    assert.equal((await converse(engine, id, { prompt: 'look' })).status, 'completed')
    assert.equal((await converse(engine, id, { prompt: 'and now?' })).status, 'completed')
    const [, second, third] = here.server.requests
    for (const request of [second, third]) {
      assert.match(request?.raw ?? '', new RegExp(png.toString('base64').replaceAll('+', '[+]')))
      assert.match(request?.raw ?? '', /Viewed image file successfully\./)
    }
    const [shown] = await dataOf(engine, id, 'tool.execution_complete')
    assert.equal(shown?.result?.binaryResultsForLlm?.[0]?.mimeType, 'image/png')
  }
})

test('a hook can deny a tool and add to what it gave', async () => {
  await using here = await openPlace([
    {
      calls: [
        { name: 'bash', arguments: { command: 'touch never' } },
        { name: 'view', arguments: { path: 'a.txt' } },
      ],
    },
    { text: 'ok' },
  ])
  await writeFile(join(here.cwd, 'a.txt'), 'x\n')
  const engine = here.engine(
    {},
    {
      hooks: [
        {
          type: 'preToolUse',
          tools: ['bash'],
          run: async () => ({ deny: true, reason: 'no shells' }),
        },
        { type: 'postToolUse', tools: ['view'], run: async () => ({ note: 'Mind the tabs.' }) },
      ],
    },
  )
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'go' })
  assert.deepEqual(spoken(here.server.requests[1]?.body).slice(2), [
    'tool: A hook denied this: no shells. Nothing was done.',
    'tool: 1. x\n\nMind the tabs.',
  ])
  assert.deepEqual(await dataOf(engine, id, 'permission.requested'), [])
})

test('a tool that does not exist, and arguments that are no JSON, are answered like any failure', async () => {
  await using here = await openPlace([
    {
      calls: [
        { name: 'fly', arguments: {}, id: 'unknown' },
        { name: 'view', arguments: '{"path": ', id: 'broken' },
      ],
    },
    { text: 'sorry' },
  ])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')
  const ended = await dataOf(engine, id, 'tool.execution_complete')
  const [unknown, broken] = ['unknown', 'broken'].map((call) =>
    ended.find(({ toolCallId }) => toolCallId === call),
  )
  assert.match(
    unknown?.error?.message ?? '',
    /^There is no tool fly\. There are: bash, view, create/,
  )
  assert.equal(broken?.error?.code, 'invalid_arguments')
})

test('an endpoint that gives every call the same id does not lose any', async () => {
  const call = { name: 'bash', arguments: { command: 'echo hi' }, id: 'call_0' }
  await using here = await openPlace([{ calls: [call] }, { calls: [call] }, { text: 'ok' }])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'go' })
  assert.deepEqual(spoken(here.server.requests[2]?.body), [
    'user: go',
    'assistant: [bash]',
    'tool: hi',
    'assistant: [bash]',
    'tool: hi',
  ])
})

test('what was sent last is the beginning of what is sent next, also in the next turn', async () => {
  await using here = await openPlace([
    { text: 'one', calls: [{ name: 'bash', arguments: { command: 'seq 1 30000' } }] },
    { text: 'two' },
    { text: 'three' },
  ])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'first' })
  await converse(engine, id, { prompt: 'second' })
  const messages = here.server.requests.map(({ body }) => body['messages'] as unknown[])
  assert.deepEqual(messages[1]?.slice(0, messages[0]?.length), messages[0])
  assert.deepEqual(messages[2]?.slice(0, messages[1]?.length), messages[1])
  const [ended] = await dataOf(engine, id, 'tool.execution_complete')
  assert.ok((ended?.result?.content.length ?? 0) < 21_000)
  assert.ok(ended?.result?.detailedContent !== undefined)
  assert.deepEqual(ended?.reprise?.blobs?.length, 1)
})

test('the project tells the model about itself, and a changed prompt is kept whole', async () => {
  await using here = await openPlace([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  await writeFile(join(here.cwd, 'AGENTS.md'), 'Use tabs.')
  const engine = here.engine({ instructions: 'Be kind.' })
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: '1' })
  await converse(engine, id, { prompt: '2' })
  await mkdir(join(here.cwd, '.github'))
  await writeFile(join(here.cwd, '.github/copilot-instructions.md'), 'Use spaces.')
  await converse(engine, id, { prompt: '3' })
  const prompts = await dataOf(engine, id, 'system.message')
  assert.equal(prompts.length, 2)
  assert.match(prompts[0]?.content ?? '', /Use tabs\.[^]*Be kind\./)
  assert.match(prompts[1]?.content ?? '', /Use tabs\.[^]*Use spaces\.[^]*Be kind\./)
  const sent = here.server.requests.map(
    ({ body }) => (body['messages'] as { content: string }[])[0]?.content,
  )
  assert.deepEqual(sent, [prompts[0]?.content, prompts[0]?.content, prompts[1]?.content])
})

test('a message that comes while the model works is answered in the same turn', async () => {
  const asked = Promise.withResolvers<void>()
  const steered = Promise.withResolvers<void>()
  await using here = await openPlace(({ index }) => {
    asked.resolve()
    return index === 0 ? { text: 'working', until: steered.promise } : { text: 'Both done.' }
  })
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  const turn = converse(engine, id, { prompt: 'one thing' })
  await asked.promise
  await converse(engine, id, { prompt: 'and another' }, { whenBusy: 'steer' })
  steered.resolve()
  assert.equal((await turn).status, 'completed')
  assert.deepEqual(spoken(here.server.requests[1]?.body), [
    'user: one thing',
    'assistant: working',
    'user: and another',
  ])
})

test('plan mode writes the plan and nothing else', async () => {
  await using here = await openPlace([
    {
      calls: [
        { name: 'plan', arguments: { text: '# Plan\n' } },
        { name: 'create', arguments: { path: 'a.txt', file_text: 'x' } },
      ],
    },
    { text: 'Here is my plan.' },
  ])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  await (await engine.open(id)).setMode('plan')
  await converse(engine, id, { prompt: 'go' })
  assert.equal(await (await engine.open(id)).readPlan(), '# Plan\n')
  await assert.rejects(readFile(join(here.cwd, 'a.txt')), { code: 'ENOENT' })
  assert.match(spoken(here.server.requests[1]?.body).at(-1) ?? '', /plan mode is read-only/)
  assert.equal((await (await engine.open(id)).state()).plan, 'present')
})

test('in autopilot the model goes on until it says that it is done', async () => {
  await using here = await openPlace([
    { text: 'A part is done.' },
    { calls: [{ name: 'task_complete', arguments: { summary: 'All done.' } }] },
  ])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  await (await engine.open(id)).setMode('autopilot')
  await converse(engine, id, { prompt: 'do it all' })
  assert.equal(here.server.requests.length, 2)
  assert.deepEqual(await dataOf(engine, id, 'session.task_complete'), [
    { summary: 'All done.', success: true, outcome: 'completed' },
  ])
})

test('what autopilot says is no turn of the person, and is told as its own', async () => {
  await using here = await openPlace([
    { text: 'A part is done.' },
    { text: 'Another part.' },
    { calls: [{ name: 'task_complete', arguments: { summary: 'All done.' } }] },
  ])
  const engine = here.engine()
  const { id } = await engine.create({ cwd: here.cwd })
  const session = await engine.open(id)
  await session.setMode('autopilot')
  await converse(engine, id, { prompt: 'do it all' })
  assert.equal(here.server.requests.length, 3)
  assert.deepEqual(
    (await session.rewindPoints()).map(({ preview }) => preview),
    ['do it all'],
  )
  const told = await Array.fromAsync(session.transcript())
  assert.deepEqual(
    told.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : [])),
    ['do it all'],
  )
  const continued = told.filter((entry) => entry.kind === 'continuation')
  assert.deepEqual(
    continued.map(({ by }) => by),
    ['autopilot', 'autopilot'],
  )
  const markdown = toMarkdown(told)
  assert.equal(markdown.match(/^## User/gm)?.length, 1)
  assert.equal(markdown.match(/^> \*autopilot went on\*/gm)?.length, 2)
})

test('a question goes to whoever follows, and its answer to the model', async () => {
  await using here = await openPlace([
    { calls: [{ name: 'ask_user', arguments: { question: 'Red?', choices: ['yes', 'no'] } }] },
    { text: 'ok' },
  ])
  const engine = here.engine({}, { answersQuestions: true })
  const { id } = await engine.create({ cwd: here.cwd })
  await (await engine.open(id)).save()
  const turn = converse(engine, id, { prompt: 'go' })
  for await (const item of (await engine.open(id)).follow()) {
    if (item.kind !== 'notice' || item.notice.type !== 'user_input.requested') continue
    await (await engine.open(id)).answerQuestion(item.notice.data.requestId, 'yes')
    break
  }
  await turn
  assert.equal(spoken(here.server.requests[1]?.body).at(-1), 'tool: The user answered: yes')
})

test('the model and its effort can be changed in a session', async () => {
  await using here = await openPlace([{ text: 'a' }, { text: 'b' }])
  const engine = here.engine({ reasoningEffort: 'low' })
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: '1' })
  await (await engine.open(id)).setModel({ model: 'other', reasoningEffort: 'high' })
  await converse(engine, id, { prompt: '2' })
  assert.deepEqual(
    here.server.requests.map(({ body }) => [body['model'], body['reasoning_effort']]),
    [
      ['test-model', 'low'],
      ['other', 'high'],
    ],
  )
})

test('a turn ends after a number of steps, and says so', async () => {
  await using here = await openPlace(() => ({
    calls: [{ name: 'bash', arguments: { command: 'true' } }],
  }))
  const engine = here.engine({ maxSteps: 3 })
  const { id } = await engine.create({ cwd: here.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')
  assert.equal(here.server.requests.length, 3)
  assert.deepEqual(await dataOf(engine, id, 'session.warning'), [
    {
      warningType: 'step_limit',
      message: 'The turn was ended after 3 calls of the model. Send another message to go on.',
    },
  ])
})

test('sealed reasoning goes back with the calls that it led to, and is kept', async () => {
  const seen = {
    anthropic: /"type":"thinking","thinking":"Hmm\.","signature":"signed-0"/,
    openai: /"encrypted_content":"sealed-0"/,
    'openai-compatible': /"reasoning_content":"Hmm\."/,
  }
  for (const provider of providers) {
    await using here = await openPlace(
      [
        { reasoning: 'Hmm.', calls: [{ name: 'bash', arguments: { command: 'true' } }] },
        { text: 'ok' },
      ],
      provider,
    )
    const model = provider === 'openai' ? 'gpt-5' : MODELS[provider]
    const engine = here.engine({ model, reasoningEffort: 'low' })
    const { id } = await engine.create({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'go' })
    const [message] = await dataOf(engine, id, 'assistant.message')
    assert.equal(message?.reasoningText, 'Hmm.')
    assert.match(here.server.requests[1]?.raw ?? '', seen[provider])
  }
})

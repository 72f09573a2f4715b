import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  converse,
  callTool,
  endTool,
  eventsOf,
  openHome,
  promptsOf,
  startTool,
  typesOf,
} from '../../../test/support/engine.ts'
import { EngineError } from '../errors.ts'
import type { Hook, HookInput } from '../hook.ts'

test('a hook may add a note to a prompt; the model is told, the user sees what was said', async () => {
  await using home = await openHome()
  const seen: string[] = []
  const engine = home.engine({
    hooks: [hook('userPromptSubmitted', () => ({ note: 'It is Monday.' }))],
    script: async function* (turn) {
      seen.push(turn.context.messages.at(-1)?.content ?? '')
      yield { draft: { type: 'assistant.message', data: { messageId: 'm', content: 'ok' } } }
    },
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'hello' })
  assert.deepEqual(seen, ['hello\n\nIt is Monday.'])
  assert.deepEqual(await promptsOf(engine, id), ['hello'])
})

test('a prompt that a hook denies is not sent and not kept', async () => {
  await using home = await openHome()
  const engine = home.engine({
    hooks: [hook('userPromptSubmitted', () => ({ deny: true, reason: 'not today' }))],
  })
  const { id } = await engine.create()
  await assert.rejects(
    converse(engine, id, { prompt: 'hello' }),
    (error) =>
      error instanceof EngineError && error.code === 'invalid' && /not today/.test(error.message),
  )
  assert.deepEqual(await engine.list(), [])
})

test('what tool hooks are told, and what they did, is recorded', async () => {
  await using home = await openHome()
  const told: HookInput[] = []
  const verdicts: unknown[] = []
  const engine = home.engine({
    hooks: [
      {
        ...hook('preToolUse', (input) => (told.push(input), { deny: true, reason: 'no shells' })),
        tools: ['bash'],
      },
      { ...hook('preToolUse', () => ({ note: 'never asked' })), tools: ['view'] },
    ],
    script: async function* (turn) {
      yield callTool('t1')
      yield startTool('t1')
      verdicts.push(
        await turn.hook({
          type: 'preToolUse',
          toolName: 'bash',
          toolCallId: 't1',
          arguments: { command: 'ls' },
        }),
      )
      yield endTool('t1')
    },
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'go' })
  assert.deepEqual(verdicts, [{ denied: 'no shells', notes: [] }])
  assert.deepEqual(told[0]?.['toolName'], 'bash')
  const end = (await eventsOf(engine, id)).find(({ type }) => type === 'hook.end')
  assert.deepEqual((end!.data as { output: unknown }).output, { deny: true, reason: 'no shells' })
})

test('a hook that fails denies nothing and is recorded as failed', async () => {
  await using home = await openHome()
  const engine = home.engine({
    hooks: [
      hook('userPromptSubmitted', () => {
        throw new Error('broken hook')
      }),
    ],
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  await converse(engine, id, { prompt: 'two' })
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two'])
  const end = (await eventsOf(engine, id)).find(({ type }) => type === 'hook.end')
  assert.deepEqual((end!.data as { error: unknown }).error, { message: 'broken hook' })
})

test('the start of a session is recorded, though no log is there before its first message', async () => {
  await using home = await openHome()
  const engine = home.engine({ hooks: [hook('sessionStart', () => ({ note: 'Be brief.' }))] })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  const types = await typesOf(engine, id)
  assert.deepEqual(types.slice(0, types.indexOf('user.message')), [
    'session.start',
    'hook.start',
    'hook.end',
  ])
  await converse(engine, id, { prompt: 'two' })
  assert.equal((await typesOf(engine, id)).filter((type) => type === 'hook.start').length, 1)
})

test('the end of a session is told before its log is closed', async () => {
  await using home = await openHome()
  const engine = home.engine({ hooks: [hook('sessionEnd', () => ({}))] })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  await (await engine.open(id)).close()
  assert.deepEqual((await typesOf(engine, id)).slice(-3), [
    'hook.start',
    'hook.end',
    'session.shutdown',
  ])
})

test('a compaction that a hook denies does not happen', async () => {
  await using home = await openHome()
  const engine = home.engine({
    hooks: [hook('preCompact', () => ({ deny: true, reason: 'keep it all' }))],
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  await assert.rejects(
    (await engine.open(id)).compact(),
    (error) => error instanceof EngineError && error.code === 'conflict',
  )
  assert.equal((await typesOf(engine, id)).includes('session.compaction_start'), false)
})

const hook = (
  type: Hook['type'],
  run: (input: HookInput) => Awaited<ReturnType<Hook['run']>>,
): Hook => ({
  type,
  run: async (input) => run(input),
})

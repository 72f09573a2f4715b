import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse, eventsOf, openHome, say, typesOf } from '../../../test/support/engine.ts'
import type { Agent, Turn } from '../agent.ts'

const SUMMARY = '<overview>what was said</overview>'

test('a context that is mostly full is compacted after the turn', async () => {
  await using home = await openHome()
  const engine = home.engine({ agent: small() })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'x'.repeat(3400) })
  await (await engine.open(id)).close()
  const events = await eventsOf(engine, id)
  const start = events.find(({ type }) => type === 'session.compaction_start')
  assert.equal((start!.data as { trigger: string }).trigger, 'threshold')
  assert.equal((await (await engine.open(id)).checkpoints()).length, 1)
})

test('a context with room is left alone', async () => {
  await using home = await openHome()
  const engine = home.engine({ agent: small() })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'short' })
  await (await engine.open(id)).close()
  assert.equal((await typesOf(engine, id)).includes('session.compaction_start'), false)
})

test('a context that the agent cannot take is compacted and the turn tried once more', async () => {
  await using home = await openHome()
  const contexts: Turn['context'][] = []
  const engine = home.engine({
    agent: {
      ...small(1_000_000),
      async *run(turn) {
        contexts.push(turn.context)
        if (contexts.length === 2)
          throw Object.assign(new Error('too long'), { code: 'context_limit' })
        yield say('ok')
      },
    },
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  assert.equal((await converse(engine, id, { prompt: 'two' })).status, 'completed')
  assert.equal(contexts.length, 3)
  assert.match(contexts[2]?.messages[0]?.content ?? '', /what was said/)
  const start = (await eventsOf(engine, id)).find(({ type }) => type === 'session.compaction_start')
  assert.equal((start!.data as { trigger: string }).trigger, 'context_limit_retry')
})

test('a summary that cannot be had leaves the session as it was', async () => {
  await using home = await openHome()
  const engine = home.engine({
    agent: { ...small(), summarise: () => Promise.reject(new Error('no model')) },
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'x'.repeat(3400) })
  assert.equal((await converse(engine, id, { prompt: 'again' })).status, 'completed')
  assert.deepEqual(await (await engine.open(id)).checkpoints(), [])
})

/** About four characters make a token. */
const small = (window = 1000): Agent => ({
  name: 'small',
  contextWindow: () => window,
  summarise: async () => SUMMARY,
  async *run() {
    yield say('ok')
  },
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse, eventsOf, openHome, scripted, typesOf } from '../../../test/support/engine.ts'
import type { Turn } from '../agent.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Engine } from '../engine.ts'
import { EngineError } from '../errors.ts'

test('after a compaction the model is given the summary instead of what it stands for', async () => {
  await using home = await openHome()
  const contexts: Turn['context'][] = []
  const engine = home.engine({
    script: async function* (turn) {
      contexts.push(turn.context)
      yield {
        draft: {
          type: 'assistant.message',
          data: { messageId: crypto.randomUUID(), content: 'fine' },
        },
      }
    },
  })
  const id = await talk(engine, ['alpha', 'beta'])
  const done = await (await engine.open(id)).compact()
  await converse(engine, id, { prompt: 'gamma' })
  const after = contexts.at(-1)?.messages ?? []
  assert.equal(after.length, 1)
  assert.match(after[0]?.content ?? '', /summary[\s\S]*alpha[\s\S]*gamma/)
  assert.equal(done.checkpointNumber, 1)
  assert.equal(done.messagesRemoved, 4)
  const prompts = (await eventsOf(engine, id)).filter(({ type }) => type === 'user.message')
  assert.equal(prompts.length, 3, 'the log keeps everything')
})

test('a resumed session has the same model context as the one that compacted', async () => {
  await using home = await openHome()
  const seen: Turn['context'][] = []
  const script = async function* (turn: Turn) {
    seen.push(turn.context)
    yield {
      draft: { type: 'assistant.message', data: { messageId: 'm', content: 'fine' } },
    } as const
  }
  const one = home.engine({ script })
  const id = await talk(one, ['alpha', 'beta'])
  await (await one.open(id)).compact()
  await converse(one, id, { prompt: 'gamma' })
  await (await one.open(id)).undo()
  await (await one.open(id)).close()
  const two = home.engine({ script })
  await converse(two, id, { prompt: 'gamma' })
  const [before, after] = seen.slice(-2).map(({ system, messages }) => ({
    system,
    messages: messages.map(({ role, content }) => ({ role, content })),
  }))
  assert.deepEqual(after, before)
})

test('a failed compaction is recorded and changes nothing', async () => {
  await using home = await openHome()
  const contexts: Turn['context'][] = []
  const engine = home.engine({
    agent: {
      ...scripted(async function* (turn) {
        contexts.push(turn.context)
        yield { draft: { type: 'assistant.message', data: { messageId: 'm', content: 'fine' } } }
      }),
      summarise: () => Promise.reject(new Error('no answer')),
    },
  })
  const id = await talk(engine, ['alpha'])
  await assert.rejects(
    (await engine.open(id)).compact(),
    (error) => error instanceof EngineError && /no answer/.test(error.message),
  )
  assert.deepEqual((await typesOf(engine, id)).slice(-2), [
    'session.compaction_start',
    'session.compaction_complete',
  ])
  await converse(engine, id, { prompt: 'beta' })
  assert.deepEqual(
    contexts.at(-1)?.messages.map(({ content }) => content),
    ['alpha', 'fine', 'beta'],
  )
  assert.deepEqual(await (await engine.open(id)).checkpoints(), [])
})

test('an agent that can summarise is asked, with the instructions', async () => {
  await using home = await openHome()
  let asked: string | undefined
  const engine = home.engine({
    agent: {
      ...scripted(),
      summarise: async ({ instructions }) => {
        asked = instructions
        return '<overview>All about alpha</overview>'
      },
    },
  })
  const id = await talk(engine, ['alpha'])
  await (await engine.open(id)).compact({ instructions: 'be brief' })
  assert.equal(asked, 'be brief')
  assert.deepEqual(
    (await (await engine.open(id)).checkpoints()).map(({ number, title }) => ({ number, title })),
    [{ number: 1, title: 'All about alpha' }],
  )
})

test('a session without messages is not compacted', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await (await engine.open(id)).save()
  await assert.rejects(
    (await engine.open(id)).compact(),
    (error) => error instanceof EngineError && error.code === 'invalid',
  )
  assert.deepEqual(await typesOf(engine, id), ['session.start'])
})

async function talk(engine: Engine, prompts: readonly string[]): Promise<SessionId> {
  const { id } = await engine.create()
  for (const prompt of prompts) await converse(engine, id, { prompt })
  return id
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse, eventsOf, openHome, say } from '../../../test/support/engine.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Agent } from '../agent.ts'
import type { Engine } from '../engine.ts'
import type { SessionId } from '../../format/ids.ts'

const answering = (title: Agent['title']): Agent => ({
  name: 'titling',
  async *run() {
    yield say('ok')
  },
  ...(title !== undefined && { title }),
})

const used = (title?: string) => ({
  type: 'session.usage_record' as const,
  data: {
    usage: { model: 'small', inputTokens: 40, outputTokens: 5 },
    reprise: { purpose: 'title' as const, ...(title !== undefined && { title }) },
  },
})

const nameOf = async (engine: Engine, id: SessionId) =>
  (await engine.list()).find((each) => each.id === id)?.name

test('a session is called as its agent calls it, after the first turn, once', async () => {
  await using home = await openHome()
  let asked = 0
  const agent = answering(() => Promise.resolve(used(`Mend the parser ${++asked}`)))
  const engine = home.engine({ agent })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'please have a look at the parser, it is broken' })
  const session = await engine.open(id)
  await session.close()
  assert.equal(await nameOf(engine, id), 'Mend the parser 1')
  await converse(engine, id, { prompt: 'more' })
  await (await engine.open(id)).close()
  assert.deepEqual([asked, await nameOf(engine, id)], [1, 'Mend the parser 1'])
  const { usage } = await (await engine.open(id)).state()
  assert.deepEqual([usage.requests, usage.inputTokens, usage.lastCall], [1, 40, undefined])
})

test('undo and redo take the title back and bring it again', async () => {
  await using home = await openHome()
  const engine = home.engine({ agent: answering(() => Promise.resolve(used('Mend the parser'))) })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'look at the parser' })
  await (await engine.open(id)).close()
  await converse(engine, id, { prompt: 'more' })
  const session = await engine.open(id)
  const [first, second] = (await session.state()).turns
  assert.ok(first !== undefined && second !== undefined)
  await session.rewind(second.eventId)
  assert.equal(await nameOf(engine, id), 'Mend the parser')
  await session.rewind(first.eventId)
  assert.equal(await nameOf(engine, id), undefined)
  await session.redo()
  assert.equal(await nameOf(engine, id), 'Mend the parser')
})

test('a name that a person gave stays, and nobody is asked for another', async () => {
  await using home = await openHome()
  let asked = 0
  const engine = home.engine({
    agent: answering(() => {
      asked += 1
      return Promise.resolve(used('Another'))
    }),
  })
  const { id } = await engine.create({ name: 'mine' })
  await converse(engine, id, { prompt: 'one' })
  await (await engine.open(id)).close()
  assert.deepEqual([asked, await nameOf(engine, id)], [0, 'mine'])
})

test('a name that a person gives while the title is made stays', async () => {
  await using home = await openHome()
  const gate = deferred()
  const engine = home.engine({
    agent: answering(async () => {
      await gate.promise
      return used('Another')
    }),
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  const session = await engine.open(id)
  await session.rename('mine')
  gate.resolve(undefined)
  await session.close()
  assert.equal(await nameOf(engine, id), 'mine')
})

test('a title that cannot be had leaves the words, and is asked for after the next turn', async () => {
  await using home = await openHome()
  let asked = 0
  const engine = home.engine({
    agent: answering(async () => {
      asked += 1
      if (asked === 1) throw new Error('overloaded')
      return used(asked === 2 ? undefined : 'Third time')
    }),
  })
  const { id } = await engine.create()
  const names: (string | undefined)[] = []
  for (const prompt of ['look at the parser', 'two', 'three', 'four']) {
    assert.equal((await converse(engine, id, { prompt })).status, 'completed')
    await (await engine.open(id)).close()
    names.push(await nameOf(engine, id))
  }
  const words = 'look at the parser'
  assert.deepEqual([asked, ...names], [3, words, words, 'Third time', 'Third time'])
  const records = (await eventsOf(engine, id)).filter(({ type }) => type === 'session.usage_record')
  assert.equal(records.length, 2)
})

test('the title that an agent tells is kept; a prompt said again is none', async () => {
  await using home = await openHome()
  const titles = ['look at the par…', 'Parser, mended', 'three, the last one']
  const engine = home.engine({
    agent: {
      name: 'telling',
      async *run() {
        const title = titles.shift()
        if (title !== undefined)
          yield { notice: { type: 'session.title_changed', data: { title } } }
        yield say('ok')
      },
    },
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'look at the parser' })
  assert.equal(await nameOf(engine, id), 'look at the parser')
  await converse(engine, id, { prompt: 'two' })
  await converse(engine, id, { prompt: 'three, the last one' })
  assert.equal(await nameOf(engine, id), 'Parser, mended')
})

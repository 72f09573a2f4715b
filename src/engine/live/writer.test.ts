import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  converse,
  eventsOf,
  openHome,
  promptsOf,
  say,
  type Script,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Engine } from '../engine.ts'
import { EngineError } from '../errors.ts'

test('an idle writer hands the session over at once and can ask for it back', async () => {
  await using home = await openHome()
  const one = home.engine({ clientName: 'one' })
  const two = home.engine({ clientName: 'two' })
  const { id } = await one.create()
  await converse(one, id, { prompt: 'first' })
  await converse(two, id, { prompt: 'second' })
  await converse(one, id, { prompt: 'third' })
  await converse(two, id, { prompt: 'fourth' })
  assert.deepEqual(await promptsOf(one, id), ['first', 'second', 'third', 'fourth'])
  const events = await eventsOf(one, id)
  assert.deepEqual(
    events.map(({ parentId }) => parentId),
    [null, ...events.slice(0, -1).map((event) => event.id)],
  )
  assert.deepEqual((await (await one.open(id)).state()).turns.length, 4)
})

test('a busy writer keeps the session; another that asks is told who has it, and gets it when the turn ends', async () => {
  await using home = await openHome()
  const go = Promise.withResolvers<void>()
  const busy = home.engine({ clientName: 'busy', script: waitFor(go.promise) })
  const { id } = await busy.create()
  const sent = converse(busy, id, { prompt: 'long' })
  await turnStarted(busy, id)
  const asker = home.engine({ clientName: 'asker' })
  await assert.rejects(converse(asker, id, { prompt: 'me too' }, { waitMs: 50 }), (error) => {
    assert.ok(error instanceof EngineError)
    assert.equal(error.code, 'in_use')
    assert.match(error.message, /busy, pid \d+/)
    return true
  })
  const waiting = converse(asker, id, { prompt: 'later' }, { waitMs: 20_000 })
  go.resolve()
  await sent
  await waiting
  assert.deepEqual(await promptsOf(asker, id), ['long', 'later'])
})

test('an observer in another process follows live and sees what the writer sees', async () => {
  await using home = await openHome()
  const writer = home.engine()
  const { id } = await writer.create()
  await converse(writer, id, { prompt: 'one' })
  const observer = home.engine()
  const seen: string[] = []
  const abort = new AbortController()
  const following = (async () => {
    for await (const item of (await observer.open(id)).follow({ signal: abort.signal })) {
      if (item.kind !== 'event') continue
      seen.push(item.event.id)
      if (
        !('stranger' in item.event) &&
        item.event.type === 'user.message' &&
        item.event.data.content === 'three'
      ) {
        abort.abort()
      }
    }
  })()
  await converse(writer, id, { prompt: 'two' })
  await converse(writer, id, { prompt: 'three' })
  await following
  const all = (await eventsOf(writer, id)).map((event) => event.id)
  assert.deepEqual(seen, all.slice(0, seen.length))
})

test('a session that another program has open is not written', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  await (await engine.open(id)).close()
  // Process 1 lives, and is not us.
  await writeFile(join(home.path, 'session-state', id, 'inuse.1.lock'), '1')
  await assert.rejects(
    converse(engine, id, { prompt: 'two' }),
    (error) => error instanceof EngineError && error.code === 'in_use',
  )
  const [kept] = await engine.remove([id])
  assert.equal(kept?.outcome, 'kept')
  assert.deepEqual(await promptsOf(engine, id), ['one'])
})

test('many engines on one session lose no turn and leave one unbroken chain', async () => {
  await using home = await openHome()
  const { id } = await home.engine().create()
  const first = home.engine()
  await first.create({ sessionId: id })
  await converse(first, id, { prompt: 'seed' })
  const engines = Array.from({ length: 8 }, () => home.engine())
  await Promise.all(
    engines.map(async (engine, who) => {
      for (let turn = 0; turn < 3; turn++) {
        await converse(engine, id, { prompt: `${who}.${turn}` }, { waitMs: 60_000 })
      }
    }),
  )
  const events = await eventsOf(first, id)
  const prompts = await promptsOf(first, id)
  assert.deepEqual(
    prompts.toSorted(),
    ['seed', ...engines.flatMap((_, who) => [0, 1, 2].map((n) => `${who}.${n}`))].toSorted(),
  )
  assert.deepEqual(
    events.map(({ parentId }) => parentId),
    [null, ...events.slice(0, -1).map((event) => event.id)],
  )
})

const waitFor = (promise: Promise<void>): Script =>
  async function* () {
    await promise
    yield say('done')
  }

async function turnStarted(engine: Engine, id: SessionId) {
  for await (const item of (await engine.open(id)).follow()) {
    if (item.kind === 'event' && item.event.type === 'assistant.turn_start') return
  }
}

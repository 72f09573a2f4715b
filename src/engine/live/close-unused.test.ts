import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionId } from '../../format/ids.ts'
import { converse, openHome, promptsOf } from '../../../test/support/engine.ts'

/** More than stay open. */
const MANY = 20

test('of many sessions that were used, those used longest ago are closed and go on when they are used again', async () => {
  await using home = await openHome()
  const engine = home.engine({ closesUnused: true })
  const ids: SessionId[] = []
  for (let nth = 0; nth < MANY; nth += 1) {
    const { id } = await engine.create()
    await converse(engine, id, { prompt: `first of ${nth}` })
    ids.push(id)
  }
  // The one that is opened last is not looked at before the next.
  const open = () => ids.map((id) => engine.isOpen(id))
  await engine.create()
  while (open().filter(Boolean).length > 12) await new Promise(setImmediate)
  assert.deepEqual(
    open(),
    ids.map((_, nth) => nth >= MANY - 12),
  )
  const [oldest] = ids
  assert.ok(oldest)
  await converse(engine, oldest, { prompt: 'second' })
  assert.deepEqual(await promptsOf(engine, oldest), ['first of 0', 'second'])
  await engine.stop()
})

test('a session stays open that is followed, or in which nothing was said yet', async () => {
  await using home = await openHome()
  const engine = home.engine({ closesUnused: true })
  const [followed, unsaid] = [await engine.create(), await engine.create()]
  await converse(engine, followed.id, { prompt: 'hello' })
  const over = new AbortController()
  const feed = followed.follow({ fromNow: true, signal: over.signal })
  await feed.next()
  for (let nth = 0; nth < MANY; nth += 1)
    await converse(engine, (await engine.create()).id, { prompt: 'another' })
  assert.deepEqual([engine.isOpen(followed.id), engine.isOpen(unsaid.id)], [true, true])
  over.abort()
  await engine.stop()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { converse, openHome } from '../../../test/support/engine.ts'

test('pages are read by places that are known, and a rewind makes none of them wrong', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create({ cwd: home.path })
  for (const prompt of ['one', 'two', 'three']) await converse(engine, id, { prompt })
  const session = await engine.open(id)
  const whole = (await session.events()).events.map((event) => event.id)
  const pages = async () => {
    const ids: EventId[] = []
    for (let more = true; more;) {
      const cursor = ids.at(-1)
      const page = await session.events({ limit: 2, ...defined({ cursor }) })
      ids.push(...page.events.map((event) => event.id))
      ;({ more } = page)
    }
    return ids
  }
  assert.deepEqual(await pages(), whole)
  const [last] = await session.rewindPoints()
  await session.rewind(last!.eventId)
  // Where they stood, other events stand now.
  await converse(engine, id, { prompt: 'another, which is longer than the one before it' })
  await assert.rejects(session.events({ cursor: last!.eventId }), { code: 'expired' })
  await assert.rejects(session.events({ cursor: whole.at(-1)! }), { code: 'expired' })
  const now = (await session.events()).events.map((event) => event.id)
  assert.deepEqual(await pages(), now)
  assert.ok(!now.includes(last!.eventId))
  // Another process looks it up by itself.
  const other = await home.engine().open(id)
  const after = await other.events({ cursor: now[1]!, limit: 1 })
  assert.deepEqual(
    after.events.map((event) => event.id),
    [now[2]],
  )
})

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { converse, openHome, say } from '../../../test/support/engine.ts'

test('a log that is too long to be looked at whole is listed with its turns, also after a rewind', async () => {
  await using home = await openHome()
  const engine = home.engine({
    script: async function* () {
      yield say('x'.repeat(60_000))
    },
  })
  const { id } = await engine.create()
  for (let turn = 0; turn < 12; turn++) await converse(engine, id, { prompt: `turn ${turn}` })
  await engine.stop()
  const log = join(home.path, 'session-state', id, 'events.jsonl')
  assert.ok(statSync(log).size > 700_000)
  const later = home.engine({
    script: async function* () {
      yield say('short')
    },
  })
  const turns = async () => (await later.list()).map((session) => session.turns)
  assert.deepEqual(await turns(), [12])
  await (await later.open(id)).undo({ turns: 11 })
  for (let turn = 0; turn < 3; turn++) await converse(later, id, { prompt: `again ${turn}` })
  assert.deepEqual(await turns(), [4])
})

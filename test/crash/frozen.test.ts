/** A holder that was frozen and overtaken acknowledges nothing more, and what it writes late goes nowhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHome } from '../support/engine.ts'
import { freezeOnce } from './frozen-rounds.ts'

test('a writer that is frozen anywhere and overtaken is refused when it wakes', async () => {
  await using home = await openHome()
  for (let round = 0; round < 4; round += 1) await freezeOnce(home.path, 'anywhere', Math.random)
})

test('a writer that freezes between its last check and its write leaves no byte in the log', async () => {
  await using home = await openHome()
  assert.equal(await freezeOnce(home.path, 'before-write', Math.random), 2)
})

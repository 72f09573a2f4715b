import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz.ts'

test('two thousand frames of nonsense leave a server that answers', async () => {
  const { frames, connections } = await fuzz({ frames: 2000, seed: 7 })
  assert.equal(frames, 2000)
  assert.ok(connections > 10)
})

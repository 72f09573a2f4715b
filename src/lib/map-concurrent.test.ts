import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { inLanes } from './map-concurrent.ts'

test('results keep the order of the items, and no more than the lanes run at once', async () => {
  let running = 0
  let most = 0
  const results = await inLanes([5, 1, 4, 2, 3], 2, async (turns) => {
    most = Math.max(most, ++running)
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    running--
    return turns * 10
  })
  assert.deepEqual({ results, most }, { results: [50, 10, 40, 20, 30], most: 2 })
})

test('the first failure is the whole failure', async () => {
  const failing = inLanes([1, 2, 3], 2, async (item) => {
    if (item === 2) throw new Error('two')
    return item
  })
  await assert.rejects(failing, { message: 'two' })
})

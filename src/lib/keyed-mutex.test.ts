import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { inTurn } from './keyed-mutex.ts'

test('actions of one key do not overlap, a failed one does not stop the next, other keys go on', async () => {
  const told: string[] = []
  const action = (name: string, rounds: number) => async () => {
    told.push(`${name} begins`)
    for (let round = 0; round < rounds; round++) await setImmediate()
    told.push(`${name} ends`)
    if (name === 'a1') throw new Error('a1 failed')
    return name
  }
  const results = await Promise.allSettled([
    inTurn('a', action('a1', 3)),
    inTurn('a', action('a2', 0)),
    inTurn('b', action('b1', 1)),
  ])
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ['failed', 'a2', 'b1'],
  )
  assert.deepEqual(told, ['a1 begins', 'b1 begins', 'b1 ends', 'a1 ends', 'a2 begins', 'a2 ends'])
})

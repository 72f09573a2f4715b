import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../../test/support/sample-log.ts'
import { createSeenIds } from './seen-ids.ts'

test('an id is new once, and then known by its first place, through every growth', () => {
  const seen = createSeenIds()
  const places = Array.from({ length: 20_000 }, (_, index) => ({
    start: index * 10,
    end: index * 10 + 7,
  }))
  for (const [index, place] of places.entries())
    assert.equal(seen.meet(idOf(index), place), undefined)
  for (const [index, place] of places.entries()) {
    assert.deepEqual(seen.meet(idOf(index), { start: 0, end: 0 }), place)
  }
})

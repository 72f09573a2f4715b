import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyHistories } from '../../test/histories.ts'
import { pointOf } from './fold-points.ts'
import { createFolder } from './fold.ts'

test('a point made while folding is the point of the state at that moment', () => {
  fc.assert(
    fc.property(anyHistories, (log) => {
      const folder = createFolder()
      for (const record of log) {
        folder.push(record)
        const point = folder.point()
        assert.deepEqual(point, pointOf(folder.state()))
      }
    }),
    { numRuns: 100 },
  )
})

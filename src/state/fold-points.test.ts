import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyHistories } from '../../test/histories.ts'
import { markOf } from './fold-points.ts'
import { createFolder } from './fold.ts'

test('a mark made while folding is the mark of the state at that moment', () => {
  fc.assert(
    fc.property(anyHistories, (log) => {
      const folder = createFolder()
      for (const record of log) {
        folder.push(record)
        const mark = folder.mark()
        assert.deepEqual(mark, markOf(folder.state()))
      }
    }),
    { numRuns: 100 },
  )
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planEntries } from './plan.ts'

const short = (markdown: string) =>
  planEntries(markdown).map(({ content, status }) => [content, status])

describe('a plan', () => {
  it('has a step for each item of its lists, done where it is ticked', () => {
    assert.deepEqual(short('# Plan\n\nwords\n- [x] one\n* [ ] two\n1. three\n  - [~] four\n'), [
      ['one', 'completed'],
      ['two', 'pending'],
      ['three', 'pending'],
      ['four', 'in_progress'],
    ])
  })

  it('without lists has a step for each line, and an empty one none', () => {
    assert.deepEqual(short('# First\n\nthen'), [
      ['First', 'pending'],
      ['then', 'pending'],
    ])
    assert.deepEqual(short('\n \n'), [])
  })
})

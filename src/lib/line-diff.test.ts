import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countChanges, keptLines } from './line-diff.ts'

const kept = (before: string, after: string) => [...keptLines([...before], [...after])]

test('a kept line knows where it was, a new one is -1', () => {
  assert.deepEqual(kept('abc', 'abc'), [0, 1, 2])
  assert.deepEqual(kept('abc', 'axc'), [0, -1, 2])
  assert.deepEqual(kept('abcabba', 'cbabac').filter((line) => line !== -1).length, 4)
  assert.deepEqual(kept('', 'ab'), [-1, -1])
  assert.deepEqual(kept('ab', ''), [])
})

test('added and removed lines are counted', () => {
  assert.deepEqual(countChanges([...'abcd'], [...'abXYd']), { added: 2, removed: 1 })
})

const lines = fc.array(fc.constantFrom(...'abcdef'), { maxLength: 40 })

test('what is kept is equal, in order, and as much as can be', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const result = keptLines(before, after)
      let last = -1
      for (const [index, line] of result.entries()) {
        if (line === -1) continue
        assert.ok(line > last)
        assert.equal(before[line], after[index])
        last = line
      }
      assert.equal(result.filter((line) => line !== -1).length, longestCommon(before, after))
    }),
    { numRuns: 300 },
  )
})

test('texts that differ much are held by the lines that occur once, in bounded effort', () => {
  const before = Array.from({ length: 30_000 }, (_, i) => (i % 5 === 0 ? `same ${i}` : `old ${i}`))
  const after = Array.from({ length: 30_000 }, (_, i) => (i % 5 === 0 ? `same ${i}` : `new ${i}`))
  assert.deepEqual(countChanges(before, after), { added: 24_000, removed: 24_000 })
})

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0)
  for (const a of one) {
    const next = [0]
    for (const [index, b] of other.entries()) {
      next.push(a === b ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!))
    }
    row = next
  }
  return row[other.length]!
}

/** The bars of the report of costs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costBars } from './cost.ts'

const sum = (name: string, tokens: number, dollars: number | null) => ({
  name,
  calls: 1,
  input: tokens,
  output: 0,
  tokens,
  dollars,
})
const values = (sums: Parameters<typeof costBars>[0]) => costBars(sums).map(({ value }) => value)

test('bars beside each other measure one thing: money, or tokens where one has no price', () => {
  assert.deepEqual(values([sum('large', 9000, 3), sum('small', 500, 0.25)]), [3, 0.25])
  const mixed = [sum('large', 140_000, 0.15), sum('unpriced', 2600, null)]
  assert.deepEqual(values(mixed), [140_000, 2600])
  assert.deepEqual(
    costBars(mixed).map(({ label }) => label),
    ['$0.15 · 140k tokens', '2.6k tokens'],
  )
})

/** A small sample of what `npm run torture -- cuts` does for as long as it is told to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutRounds } from './cut-rounds.ts'

test('over a network that breaks off again and again every copy equals its log, byte for byte', async () => {
  const { cuts, events } = await cutRounds({ cuts: 12, random: Math.random })
  assert.ok(cuts >= 12 && events > 0)
})

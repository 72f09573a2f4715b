/** Forgotten is forgotten: nothing of it is left in any file of a home. `npm run torture -- forgetting` does more of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, tryHistory, ways } from './histories.ts'

/** Enough to see every way. */
const MOST_HISTORIES = 24

test(
  'after mixed histories no word is left of what was forgotten, and the rest is whole',
  { timeout: 300_000 },
  async () => {
    await using place = openPlace()
    const seen = new Set<string>()
    const random = randomFrom(12)
    const all = Object.keys(ways).toSorted()
    for (let count = 0; count < MOST_HISTORIES && seen.size < all.length; count += 1)
      seen.add(await tryHistory(place, random))
    assert.deepEqual([...seen].toSorted(), all)
  },
)

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

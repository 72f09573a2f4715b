import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSync } from './sync-policy.ts'

/** Runs syncs that take so long, and says which of them were made directly. */
async function run(times: readonly number[]): Promise<string> {
  let nowMs = 0
  let tookMs = 0
  let ways = ''
  const sync = createSync({
    now: () => {
      nowMs += tookMs
      ways += 'D'
    },
    later: async () => {
      nowMs += tookMs
      ways += '.'
    },
    clock: () => nowMs,
  })
  for (tookMs of times) await sync()
  return ways
}

const of = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)

test('a disk is asked directly once it has answered at once for a while', async () => {
  assert.equal(await run(of(12, 0.2)), '........DDDD')
})

test('a disk that takes its time is left to the thread', async () => {
  assert.equal(await run(of(40, 1)), '.'.repeat(40))
})

test('every sixteenth goes over the thread, so that others get their turn', async () => {
  assert.equal(await run(of(40, 0.2)), `........${'D'.repeat(15)}.${'D'.repeat(15)}.`)
})

test('one slow answer sends the next ones back to the thread', async () => {
  const ways = await run([...of(9, 0.2), 5, ...of(300, 0.2)])
  assert.equal(ways, `........DD${'.'.repeat(264)}${`${'D'.repeat(15)}.`.repeat(3).slice(0, 36)}`)
})

test('a failure is told, and the disk has to prove itself again', async () => {
  let isBroken = false
  let ways = ''
  const now = (): void => {
    ways += 'D'
    if (isBroken) throw new Error('EIO')
  }
  const later = async (): Promise<void> => void (ways += '.')
  const sync = createSync({ now, later, clock: () => 0 })
  for (let count = 0; count < 9; count += 1) await sync()
  isBroken = true
  await assert.rejects(sync(), /EIO/)
  isBroken = false
  for (let count = 0; count < 9; count += 1) await sync()
  assert.equal(ways, '........DD........D')
})

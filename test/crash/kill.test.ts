/** A process that is killed at any moment loses nothing that it acknowledged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, openHome } from '../support/engine.ts'
import { endOperations, endTurns } from './kill-rounds.ts'
import { withEngine } from './survivors.ts'

test('turns that were acknowledged are in the log after a kill, once and in order', async () => {
  await using home = await openHome()
  let acknowledged = 0
  for (let session = 0; session < 3; session += 1) {
    const id = crypto.randomUUID() as SessionId
    const all: string[] = []
    // On a busy machine a process may be killed before it has acknowledged anything: others live after it.
    for (let life = 0; life < 4 || (all.length < 4 && life < 20); life += 1) {
      all.push(...(await endTurns(home.path, id, all, Math.random)))
    }
    acknowledged += all.length
  }
  assert.ok(acknowledged > 10, `only ${acknowledged} events were acknowledged before the kills`)
})

test('a kill during rewind, redo, fork, compaction, deletion or restoring leaves before or after', async () => {
  await using home = await openHome()
  const id = await withEngine(home.path, async (engine) => {
    const { id: created } = await engine.create()
    await converse(engine, created, { prompt: 'the first turn' })
    return created
  })
  const cut = new Set<string | undefined>()
  for (let round = 0; round < 6 || (cut.size < 2 && round < 20); round += 1)
    cut.add(await endOperations(home.path, id, Math.random))
  assert.ok(cut.size > 1, `the kills met only ${[...cut].join(', ')}`)
})

/** Laws of the engine that hold for every history of commands. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { converse, promptsOf } from '../support/engine.ts'
import {
  bytesOf,
  deed,
  eventAt,
  fold,
  inWorld,
  performOrRefuse,
  prompt,
  recordsOf,
  share,
  startEngine,
  type World,
} from './deeds.ts'

const holds = <T>(
  arbitrary: fc.Arbitrary<T>,
  law: (world: World, value: T) => Promise<void>,
  numRuns: number,
) =>
  fc.assert(
    fc.asyncProperty(arbitrary, (value) => inWorld((world) => law(world, value))),
    { numRuns },
  )

const deeds = fc.array(deed, { maxLength: 12 })

describe('any history of commands', () => {
  it('leaves a live state that is the fold of the log, from whichever engine one looks', async () => {
    await holds(
      deeds,
      async (world, list) => {
        for (const each of list) {
          await performOrRefuse(world, each)
          const folded = fold(await recordsOf(world.fs, world.id))
          for (const engine of world.engines)
            assert.deepEqual(await (await engine.open(world.id)).state(), folded)
        }
      },
      60,
    )
  })

  it('is the same, byte for byte, after a rewind to any event and a redo', async () => {
    await holds(
      fc.tuple(deeds, share),
      async (world, [list, to]) => {
        for (const each of list) await performOrRefuse(world, each)
        const before = await bytesOf(world)
        const state = await (await world.engine.open(world.id)).state()
        const target = await eventAt(world, to)
        if (target === (await eventAt(world, 0))) return
        await (await world.engine.open(world.id)).rewind(target)
        await (await world.engine.open(world.id)).redo()
        assert.ok((await bytesOf(world)).equals(before), 'a redo brought something else back')
        assert.deepEqual(await (await world.engine.open(world.id)).state(), state)
      },
      60,
    )
  })

  it('does not depend on its snapshots', async () => {
    await holds(
      deeds,
      async (world, list) => {
        for (const each of list) await performOrRefuse(world, each)
        for (const engine of world.engines) await engine.stop()
        const withSnapshot = await (await startEngine(world.fs).open(world.id)).state()
        await world.fs.remove(`session-state/${world.id}/.reprise/snapshot.json`)
        assert.deepEqual(await (await startEngine(world.fs).open(world.id)).state(), withSnapshot)
      },
      40,
    )
  })
})

describe('any text', () => {
  it('comes back as it was sent, with lone surrogates made well-formed', async () => {
    await holds(
      fc.array(prompt, { minLength: 1, maxLength: 5 }),
      async ({ engine, id, fs }, prompts) => {
        for (const each of prompts) await converse(engine, id, { prompt: each })
        const wanted = ['the beginning', ...prompts.map((each) => each.toWellFormed())]
        assert.deepEqual(await promptsOf(engine, id), wanted)
        const again = startEngine(fs)
        assert.deepEqual(await promptsOf(again, id), wanted)
      },
      80,
    )
  })
})

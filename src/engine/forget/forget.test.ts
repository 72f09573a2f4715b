import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse, openHome } from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { unfinishedForgetting } from './record.ts'

const GONE = 'a sentence to be forgotten'

test('a forgetting that was killed while the index was made anew is finished by the same command', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await converse(engine, id, { prompt: GONE })
  const killed = engine.onErase(() => Promise.reject(new Error('killed')))
  await assert.rejects(engine.forget({ text: GONE }, { dryRun: false }), { code: 'busy' })
  killed[Symbol.dispose]()
  assert.equal((await engine.leftovers({ clear: false })).forgetting.length, 1)

  const erased: SessionId[] = []
  using _listening = engine.onErase(async (ids) => void erased.push(...ids))
  await engine.forget({ text: 'something else that is nowhere' }, { dryRun: false })
  assert.deepEqual(erased, [id])
  assert.equal((await engine.leftovers({ clear: true })).forgetting.length, 1)
  const again = await engine.forget({ text: GONE }, { dryRun: false })
  assert.equal(again.places, 0)
  assert.deepEqual(erased, [id, id])
  assert.deepEqual(await unfinishedForgetting(engine.fs), [])
})

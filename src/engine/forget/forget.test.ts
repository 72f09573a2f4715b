import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse, openHome } from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { logPath, sessionDir } from '../../format/paths.ts'
import { listRewound } from '../../log/undo-log.ts'
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

test('a word that stands outside of every string, in lines that kills glued together, is forgotten', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'hello' })
  await (await engine.open(id)).close()
  const path = logPath(sessionDir(id))
  const torn = `{"type":"user.message","data":{"content":"${GONE}`
  const before = Buffer.from((await engine.fs.read(path)) ?? [])
  await engine.fs.writeAtomic(path, Buffer.concat([before, Buffer.from(torn + torn)]), {
    durable: true,
  })
  const { places } = await engine.forget({ text: GONE }, { dryRun: false })
  assert.equal(places, 2)
  const after = Buffer.from((await engine.fs.read(path)) ?? [])
  assert.equal(after.includes(GONE), false)
  assert.deepEqual(after.subarray(0, before.length), before)
})

test('what undo took back is discarded by itself when it is older than it is kept', async () => {
  await using home = await openHome()
  let now = Date.now()
  const engine = home.engine({ keepRewoundDays: 7, clock: () => new Date(now) })
  const { id } = await engine.create()
  const session = await engine.open(id)
  await converse(engine, id, { prompt: 'first' })
  const takeBack = async (prompt: string) => {
    await converse(engine, id, { prompt })
    await session.undo()
  }
  await takeBack('an old one')
  now += 6 * 86_400_000
  await takeBack('a young one')
  now += 2 * 86_400_000
  const parts = async () => (await listRewound(engine.fs, sessionDir(id))).length
  assert.equal(await parts(), 2)
  await converse(engine, id, { prompt: 'on' })
  await session.close()
  assert.equal(await parts(), 1)
  now += 30 * 86_400_000
  const { discarded } = await engine.prune({
    olderThanDays: 10_000,
    keepNamed: true,
    dryRun: false,
  })
  assert.deepEqual(discarded.parts, 1)
  assert.equal(await parts(), 0)
})

/** What a fork has copied is found and told once, where it was done. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlace } from './cli.ts'

type Hit = { readonly sessionId: string; readonly source: string }
type Found = { readonly hits: readonly Hit[] }

test('a fork adds no hit to a search and no work to a standup', async () => {
  using place = makePlace()
  const id = await place.session('run echo kookaburra')
  // A fork has a name of its own.
  const found = async () =>
    (await place.json<Found>(['search', 'kookaburra'])).hits
      .filter(({ source }) => source !== 'name')
      .map(({ sessionId, source }) => ({ sessionId, source }))
  const before = await found()
  assert.ok(before.length > 0)
  assert.equal((await place.run(['sessions', 'fork', id])).code, 0)
  assert.deepEqual(await found(), before)
  const { stdout } = await place.run(['chronicle', 'standup'])
  assert.equal(stdout.split('kookaburra').length - 1, 1, stdout)
})

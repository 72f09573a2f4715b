/** Whoever asks the store need not know that it is an index: one that is missing or behind is brought up to the logs. */
import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePlace, type Place } from './cli.ts'

type Answer = { readonly rows: readonly unknown[][]; readonly stale: boolean }
type Found = { readonly hits: readonly { readonly sessionId: string }[]; readonly stale: boolean }

const COUNT = ['sql', 'SELECT count(*) FROM sessions']

function loseStore({ home }: Place): void {
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(home, `session-store.db${end}`), { force: true })
}

test('sql and search make a store that is missing, and catch up with sessions that came from elsewhere', async () => {
  using place = makePlace()
  using other = makePlace()
  const id = await place.session('run echo needle')
  loseStore(place)
  const { rows, stale } = await place.json<Answer>(COUNT)
  assert.deepEqual([rows, stale], [[[1]], false])
  const late = await other.session('run echo thimble')
  cpSync(join(other.home, 'session-state', late), join(place.home, 'session-state', late), {
    recursive: true,
  })
  const found = await place.json<Found>(['search', 'thimble'])
  assert.deepEqual([found.hits[0]?.sessionId, found.stale], [late, false])
  assert.deepEqual((await place.json<Answer>(COUNT)).rows, [[2]])
  assert.equal((await place.json<Found>(['search', 'needle'])).hits[0]?.sessionId, id)
})

test('who does not wait gets an answer that says it is stale, and loses nothing', async () => {
  using place = makePlace()
  await place.session('run echo needle')
  loseStore(place)
  const { rows, stale } = await place.json<Answer>([...COUNT, '--wait', '0'])
  assert.deepEqual([rows, stale], [[[0]], true])
  const search = await place.run(['search', 'needle', '--wait', '0', '--json'])
  assert.deepEqual([search.code, (JSON.parse(search.stdout) as Found).stale], [3, true])
  const told = await place.run([...COUNT, '--wait', '0'])
  assert.match(told.stderr, /The index is still behind the logs.*reprise reindex/)
  const report = await place.json<{ stale: boolean; sessions: number }>(['chronicle', 'tips'])
  assert.deepEqual([report.stale, report.sessions], [false, 1])
  const after = await place.json<Answer>(COUNT)
  assert.deepEqual([after.rows, after.stale], [[[1]], false])
})

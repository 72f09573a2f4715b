/** The built server, killed under load: nothing that it acknowledged is lost, twice, or behind a hole. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPostgres } from '../support/postgres.ts'
import { cannotPostgres } from '../support/postgres-programs.ts'
import { killRounds } from './kill-rounds.ts'

const ROUNDS = 5

test('SQLite: a killed server loses no acknowledged event', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
  try {
    const place = ['--data', join(folder, 'data')]
    const env = { REPRISE_HOME: folder }
    const done = await killRounds({
      place,
      env,
      random: Math.random,
      goesOn: (round) => round < ROUNDS,
    })
    assert.equal(done.kills, ROUNDS)
    assert.ok(done.acknowledged > 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test(
  'PostgreSQL: a killed server, a killed database and both lose no acknowledged event',
  { skip: cannotPostgres },
  async () => {
    await using database = await startPostgres()
    const folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
    try {
      const place = ['--database', await database.database()]
      const env = { REPRISE_HOME: folder }
      const done = await killRounds({
        place,
        env,
        database,
        random: Math.random,
        goesOn: (round) => round < ROUNDS,
      })
      assert.equal(done.kills, ROUNDS)
      assert.ok(done.acknowledged > 0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

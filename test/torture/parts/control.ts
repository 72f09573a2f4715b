/** Mission Control under load on both engines: kills of the server, of the database, of both. */
import { join } from 'node:path'
import { killRounds } from '../../control/kill-rounds.ts'
import { startPostgres } from '../../support/postgres.ts'
import { cannotPostgres } from '../../support/postgres-programs.ts'
import type { Part } from '../part.ts'

const KILLS = 10

export const control: Part = {
  name: 'control',
  share: 2,
  cannot: false,
  async run({ folder, random, hasTime, count }) {
    for (let turn = 0; hasTime(); turn += 1) {
      const env = { REPRISE_HOME: folder }
      const goesOn = (round: number) => round < KILLS && hasTime()
      const sqlite = await killRounds({
        place: ['--data', join(folder, `${turn}`)],
        env,
        random,
        goesOn,
      })
      count('kills of Mission Control on SQLite', sqlite.kills)
      count('acknowledged events on SQLite', sqlite.acknowledged)
      if (cannotPostgres !== false || !hasTime()) continue
      await using database = await startPostgres()
      const postgres = await killRounds({
        place: ['--database', await database.database()],
        env,
        database,
        random,
        goesOn,
      })
      count('kills of Mission Control or PostgreSQL', postgres.kills)
      count('acknowledged events on PostgreSQL', postgres.acknowledged)
    }
  },
}

/**
 * Mission Control on a PostgreSQL with two standbys whose first one is killed under load, while the standbys lag. With
 * a quorum nothing that was acknowledged is lost. Without one something must be: else this part would show nothing.
 */
import assert from 'node:assert/strict'
import { killRounds } from '../../control/kill-rounds.ts'
import { startCluster } from '../../support/postgres-cluster.ts'
import { cannotPatroni, startPatroni } from '../../support/patroni.ts'
import { cannotPostgres, postgresFolder } from '../../support/postgres-programs.ts'
import type { Part, Trial } from '../part.ts'

const ROUNDS = 20
const CONTROL_ROUNDS = 3

export const failover: Part = {
  name: 'failover',
  share: 2,
  cannot: cannotPostgres,
  async run(trial) {
    const lost = await rounds(trial, { isQuorum: false, most: CONTROL_ROUNDS }).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!(lost instanceof assert.AssertionError))
      throw new Error('Standbys without a quorum lost nothing.', { cause: lost })
    trial.count('control run without a quorum: lost, as it must')
    const { kills, acknowledged } = await rounds(trial, { isQuorum: true, most: ROUNDS })
    trial.count('failovers of PostgreSQL with a quorum', kills)
    trial.count('acknowledged events with a quorum', acknowledged)
  },
}

/** The same under Patroni, which takes its time: it waits until the first one's word has run out. */
export const patroni: Part = {
  name: 'patroni',
  share: 2,
  cannot: cannotPatroni,
  async run({ folder, random, hasTime, count }) {
    await using cluster = await startPatroni(await postgresFolder())
    const { kills, acknowledged } = await killRounds({
      place: ['--database', cluster.url],
      env: { REPRISE_HOME: folder },
      database: cluster,
      victims: ['database'],
      random,
      goesOn: (round) => round < ROUNDS && hasTime(),
    })
    count('failovers by Patroni', kills)
    count('acknowledged events under Patroni', acknowledged)
  },
}

async function rounds(
  { folder, random, hasTime }: Trial,
  { isQuorum, most }: { readonly isQuorum: boolean; readonly most: number },
) {
  await using cluster = await startCluster({ isQuorum })
  return await killRounds({
    place: ['--database', cluster.url],
    env: { REPRISE_HOME: folder },
    database: cluster,
    victims: ['database'],
    random,
    goesOn: (round) => round < most && hasTime(),
  })
}

/**
 * Mission Control on a PostgreSQL with two standbys whose first one is killed under load, while the standbys lag. With
 * a quorum nothing that was acknowledged is lost. Without one something must be: else these parts would show nothing.
 */
import assert from 'node:assert/strict'
import { killRounds, type KillFigures } from '../../control/kill-rounds.ts'
import { startCluster, type TestCluster } from '../../support/postgres-cluster.ts'
import { cannotPatroni, startPatroni } from '../../support/patroni.ts'
import { cannotPostgres } from '../../support/postgres-programs.ts'
import type { Part, Trial } from '../part.ts'

const ROUNDS = 20
const CONTROL_ROUNDS = 3
/** How long a life lasts at most: long enough for hundreds of acknowledged events. */
const LIFE_MS = 2000

type Start = (wish: { readonly isQuorum: boolean }) => Promise<TestCluster>

/** What a manager of clusters does is done by the test: as fast as it goes. */
export const failover: Part = {
  name: 'failover',
  share: 2,
  cannot: cannotPostgres,
  run: (trial) => failOver(trial, 'the test', startCluster),
}

/** Patroni takes its time: it waits until the first one's word has run out. */
export const patroni: Part = {
  name: 'patroni',
  share: 2,
  cannot: cannotPatroni,
  run: (trial) => failOver(trial, 'Patroni', startPatroni),
}

async function failOver(trial: Trial, by: string, start: Start): Promise<void> {
  const lost = await rounds(trial, () => start({ isQuorum: false }), CONTROL_ROUNDS).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(lost instanceof assert.AssertionError))
    throw new Error('Standbys without a quorum lost nothing.', { cause: lost })
  trial.count(`control run without a quorum, failover by ${by}: lost, as it must`)
  const { kills, acknowledged } = await rounds(trial, () => start({ isQuorum: true }), ROUNDS)
  trial.count(`failovers with a quorum by ${by}`, kills)
  trial.count(`acknowledged events, failover by ${by}`, acknowledged)
}

async function rounds(
  { folder, random, hasTime }: Trial,
  start: () => Promise<TestCluster>,
  most: number,
): Promise<KillFigures> {
  await using cluster = await start()
  return await killRounds({
    place: ['--database', cluster.url],
    env: { REPRISE_HOME: folder },
    database: cluster,
    victims: ['database'],
    random,
    lifeMs: LIFE_MS,
    goesOn: (round) => round < most && hasTime(),
  })
}

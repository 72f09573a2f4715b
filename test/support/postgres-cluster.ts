/**
 * A PostgreSQL with two standbys, and what a manager of clusters does when the first one dies: the standby that has
 * most goes on, the others follow it. Replication goes through a proxy, so that standbys can be made to lag.
 */
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import postgres from 'postgres'
import { openHeldProxy, type HeldProxy } from './held-proxy.ts'
import { confOf, createDatabase, INITDB } from './postgres.ts'
import {
  freePort,
  killPostgres,
  mustPostgres,
  postgresFolder,
  runPostgres,
} from './postgres-programs.ts'

export type TestCluster = AsyncDisposable & {
  /** Names all three; the driver finds the one that writes. */
  readonly url: string
  /** The one that writes, while its standbys have stood still for a moment. */
  kill(): Promise<void>
  /** The standby that has most goes on; who was killed comes back as a standby. */
  start(): Promise<void>
}

type Member = { readonly name: string; readonly data: string; readonly port: number }

const NAMES = ['a', 'b', 'c']
/** How long standbys lag before the kill: without a lag a kill shows nothing. */
const LAG_MS = 300

export async function startCluster({
  isQuorum,
}: {
  readonly isQuorum: boolean
}): Promise<TestCluster> {
  const folder = await postgresFolder()
  const proxy = await openHeldProxy()
  const members: Member[] = []
  for (const name of NAMES) members.push({ name, data: join(folder, name), port: await freePort() })
  let [primary, ...standbys] = members as [Member, ...Member[]]

  mustPostgres('initdb', ['-D', primary.data, ...INITDB])
  const quorum = isQuorum ? [`synchronous_standby_names='ANY 1 (${NAMES.join(',')})'`] : []
  await appendFile(
    join(primary.data, 'postgresql.conf'),
    confOf(primary.port, [...SETTINGS, ...quorum]),
  )
  begin(folder, primary)
  proxy.lead(primary.port)
  for (const each of standbys) await follow(folder, each, primary, proxy)
  await createDatabase(primary.port, 'control')

  return {
    url: `postgres://postgres@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/control`,
    async kill() {
      proxy.hold()
      await later(LAG_MS)
      await killPostgres(primary.data)
    },
    async start() {
      const dead = primary
      const reached = await Promise.all(
        standbys.map(async (each) => ({ each, at: await lsnOf(each) })),
      )
      const best = reached.reduce((one, other) => (other.at > one.at ? other : one)).each
      mustPostgres('pg_ctl', ['-D', best.data, '-w', 'promote'])
      proxy.lead(best.port)
      primary = best
      standbys = [...standbys.filter((each) => each !== best), dead]
      await rm(dead.data, { recursive: true })
      await follow(folder, dead, best, proxy)
    },
    async [Symbol.asyncDispose]() {
      for (const { data } of members)
        runPostgres('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      await proxy[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const SETTINGS = ['wal_keep_size=256MB', 'wal_retrieve_retry_interval=100ms', 'hot_standby=on']

function begin(folder: string, { data, name }: Member): void {
  mustPostgres('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(folder, `${name}.log`), 'start'])
}

/** Copies what the first one has and follows it from there. */
async function follow(
  folder: string,
  member: Member,
  from: Member,
  proxy: HeldProxy,
): Promise<void> {
  const { data, name, port } = member
  const way = ['-h', '127.0.0.1', '-p', String(from.port), '-U', 'postgres']
  mustPostgres('pg_basebackup', [
    '-D',
    data,
    ...way,
    '-X',
    'stream',
    '-c',
    'fast',
    '-R',
    '--no-sync',
  ])
  await appendFile(join(data, 'postgresql.conf'), `port=${port}\n`)
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo='host=127.0.0.1 port=${proxy.port} user=postgres application_name=${name}'\n`,
  )
  begin(folder, member)
}

/** How far a standby has what the first one wrote, as a number. */
async function lsnOf({ port }: Member): Promise<bigint> {
  const sql = postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, { max: 1, onnotice() {} })
  try {
    const [row] =
      await sql`select coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) as at`
    const [high = '0', low = '0'] = String(row?.['at']).split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  } finally {
    await sql.end()
  }
}

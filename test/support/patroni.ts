/**
 * Three PostgreSQL under Patroni, with its own consensus among them: who dies is noticed, another is made the first
 * one, and who comes back follows it. Nothing of that is done here. Standbys stand still for a moment before each
 * kill: without a lag a kill shows nothing.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import postgres from 'postgres'
import {
  asPostgres,
  binFolder,
  cannotPostgres,
  freePort,
  killPostgres,
  postgresFolder,
} from './postgres-programs.ts'
import type { TestCluster } from './postgres-cluster.ts'
import { createDatabase } from './postgres.ts'

const PROGRAM = '/usr/bin/patroni'

/** Why this machine cannot, or false. */
export const cannotPatroni: string | false =
  cannotPostgres || (existsSync(PROGRAM) ? false : 'Patroni is not installed (Debian: patroni)')

type Member = {
  readonly name: string
  readonly data: string
  readonly port: number
  readonly raft: number
  readonly rest: number
  readonly file: string
  running?: ChildProcess
}

/** Also on a machine that does much else. */
const PATIENCE_MS = 240_000
/** How long standbys lag before the kill. */
const LAG_MS = 500

export async function startPatroni({
  isQuorum,
}: {
  readonly isQuorum: boolean
}): Promise<TestCluster> {
  const folder = await postgresFolder()
  const members: Member[] = []
  for (const name of ['a', 'b', 'c'])
    members.push({
      name,
      data: join(folder, name),
      file: join(folder, `${name}.yml`),
      port: await freePort(),
      raft: await freePort(),
      rest: await freePort(),
    })
  const begin = (member: Member) => {
    const log = openSync(join(folder, `${member.name}.log`), 'a')
    const [file, args] = asPostgres(PROGRAM, [member.file])
    member.running = spawn(file, args, { cwd: folder, stdio: ['ignore', log, log] })
  }
  for (const member of members) {
    await writeFile(member.file, JSON.stringify(configOf(folder, member, members, isQuorum)))
    begin(member)
  }
  const leads = async ({ port }: Member, standbys: number): Promise<boolean> => {
    const sql = postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, {
      max: 1,
      connect_timeout: 5,
      onnotice() {},
    })
    try {
      const [row] = await sql`select pg_is_in_recovery() as follows,
        (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')) as sure,
        (select count(*) from pg_stat_replication where state = 'streaming') as there`
      const { follows, sure, there } = row ?? {}
      return follows === false && (!isQuorum || Number(sure) > 0) && Number(there) >= standbys
    } catch {
      // It is away, or not there yet.
      return false
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  /** One that writes, with standbys that follow it; with a quorum one of them has to have what it commits. */
  async function leader(standbys: number): Promise<Member> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await later(200))
      for (const member of members)
        if (member.running !== undefined && (await leads(member, standbys))) return member
    throw new Error('None of the three writes.')
  }
  let dead: Member | undefined
  await createDatabase((await leader(members.length - 1)).port, 'control')
  return {
    url: `postgres://postgres@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/control`,
    /** The one that writes, and its Patroni, without a word. */
    async kill(): Promise<void> {
      const victim = await leader(members.length - 1)
      const receivers = await Promise.all(
        members.filter((each) => each !== victim).map(({ data }) => receiverOf(data)),
      )
      for (const pid of receivers) process.kill(pid, 'SIGSTOP')
      await later(LAG_MS)
      const ended = victim.running && once(victim.running, 'exit')
      victim.running?.kill('SIGKILL')
      delete victim.running
      await ended
      await killPostgres(victim.data)
      // What they have not read is lost on its way, as it is when a machine dies: they end before they read again.
      for (const pid of receivers) {
        process.kill(pid, 'SIGTERM')
        process.kill(pid, 'SIGCONT')
      }
      dead = victim
    },
    /** Returns when another writes: who was killed comes back after that, as a standby. */
    async start(): Promise<void> {
      await leader(1)
      if (dead !== undefined) begin(dead)
      dead = undefined
    },
    async [Symbol.asyncDispose]() {
      for (const { running } of members) {
        if (running === undefined) continue
        const ended = once(running, 'exit')
        running.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The process that takes what the first one sends. */
async function receiverOf(data: string): Promise<number> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const child of children.trim().split(' '))
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('walreceiver'))
      return Number(child)
  throw new Error(`Nothing receives in ${data}.`)
}

/** YAML takes JSON. */
const configOf = (
  folder: string,
  member: Member,
  members: readonly Member[],
  isQuorum: boolean,
) => ({
  scope: 'reprise',
  name: member.name,
  restapi: { listen: `127.0.0.1:${member.rest}`, connect_address: `127.0.0.1:${member.rest}` },
  raft: {
    data_dir: join(folder, `raft-${member.name}`),
    self_addr: `127.0.0.1:${member.raft}`,
    partner_addrs: members
      .filter((other) => other !== member)
      .map(({ raft }) => `127.0.0.1:${raft}`),
  },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 2,
      retry_timeout: 5,
      synchronous_mode: isQuorum,
      synchronous_mode_strict: isQuorum,
      postgresql: { use_pg_rewind: true, use_slots: true },
    },
    initdb: [{ encoding: 'UTF8' }, 'data-checksums', { auth: 'trust' }],
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
  postgresql: {
    listen: `127.0.0.1:${member.port}`,
    connect_address: `127.0.0.1:${member.port}`,
    data_dir: member.data,
    bin_dir: binFolder,
    pgpass: join(folder, `pgpass-${member.name}`),
    authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
    parameters: { unix_socket_directories: '', max_connections: 60, shared_buffers: '32MB' },
  },
})

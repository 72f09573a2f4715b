/** A PostgreSQL of its own, from the packages of the system, in a temporary folder. */
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import {
  freePort,
  killPostgres,
  mustPostgres,
  postgresFolder,
  runPostgres,
} from './postgres-programs.ts'

export type TestPostgres = AsyncDisposable & {
  /** A new, empty database. */
  database(): Promise<string>
  start(): void
  /** With everything it has running, without a word. */
  kill(): Promise<void>
}

export const INITDB = ['-U', 'postgres', '-A', 'trust', '-k', '--no-instructions', '--no-sync']

export async function startPostgres({
  settings = [] as readonly string[],
} = {}): Promise<TestPostgres> {
  const folder = await postgresFolder()
  const data = join(folder, 'data')
  mustPostgres('initdb', ['-D', data, ...INITDB])
  const port = await freePort()
  await appendFile(join(data, 'postgresql.conf'), confOf(port, settings))
  const start = () =>
    mustPostgres('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(folder, 'log'), 'start'])
  start()
  let made = 0
  return {
    async database() {
      const name = `test_${++made}`
      await createDatabase(port, name)
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    start,
    kill: () => killPostgres(data),
    async [Symbol.asyncDispose]() {
      runPostgres('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const confOf = (port: number, settings: readonly string[]): string =>
  [
    `port=${port}`,
    `listen_addresses='127.0.0.1'`,
    `unix_socket_directories=''`,
    'shared_buffers=32MB',
    'max_connections=60',
    ...settings,
    '',
  ].join('\n')

export async function createDatabase(port: number, name: string): Promise<void> {
  const admin = postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, {
    max: 1,
    onnotice() {},
  })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
}

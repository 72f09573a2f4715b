/** A PostgreSQL of its own, from the packages of the system, in a temporary folder. It refuses root, so root starts it as another user. */
import { spawnSync } from 'node:child_process'
import { chownSync, globSync, readFileSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import postgres from 'postgres'

export type TestPostgres = AsyncDisposable & {
  /** A new, empty database. */
  database(): Promise<string>
  start(): void
  /** With everything it has running, without a word. */
  kill(): Promise<void>
}

const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
const isRoot = process.getuid?.() === 0
const user = isRoot ? userOf('postgres') : undefined

/** Why this machine cannot, or false. */
export const cannotPostgres: string | false = whyNot()

function whyNot(): string | false {
  if (bin === undefined) return 'PostgreSQL is not installed (Debian: postgresql-15)'
  return isRoot && user === undefined ? 'there is no user postgres to start it as' : false
}

export async function startPostgres({
  settings = [] as readonly string[],
} = {}): Promise<TestPostgres> {
  const folder = await mkdtemp('/tmp/reprise-postgres-')
  await chmod(folder, 0o700)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  must('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-k',
    '--no-instructions',
    '--no-sync',
  ])
  const port = await freePort()
  await appendFile(
    join(data, 'postgresql.conf'),
    [
      `port=${port}`,
      `listen_addresses='127.0.0.1'`,
      `unix_socket_directories=''`,
      'shared_buffers=32MB',
      'max_connections=60',
      ...settings,
      '',
    ].join('\n'),
  )
  const start = () =>
    must('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(folder, 'log'), 'start'])
  start()
  let made = 0
  return {
    async database() {
      const admin = postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, {
        max: 1,
        onnotice() {},
      })
      const name = `test_${++made}`
      await admin.unsafe(`create database ${name}`)
      await admin.end()
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    start,
    async kill() {
      const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
      // Stopped first: it makes no further process while they are counted.
      process.kill(pid, 'SIGSTOP')
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      const all = [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]
      for (const each of all) end(each)
      while (all.some(isThere)) await later(5)
      // Where nobody asks after the dead, its number is taken for a server that still runs.
      await rm(join(data, 'postmaster.pid'), { force: true })
    },
    async [Symbol.asyncDispose]() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone by itself.
  }
}

/** One that has ended and that nobody has asked after is not there. */
function isThere(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // It is gone altogether.
    return false
  }
}

function run(program: string, args: readonly string[]) {
  const [name, all] =
    user === undefined
      ? [join(bin ?? '', program), args]
      : [
          'setpriv',
          [
            `--reuid=${user.uid}`,
            `--regid=${user.gid}`,
            '--clear-groups',
            join(bin ?? '', program),
            ...args,
          ],
        ]
  return spawnSync(name, all, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], timeout: 90_000 })
}

function must(program: string, args: readonly string[]): void {
  const { status, stderr, error } = run(program, args)
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.toString()}`)
}

function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    spawnSync('id', [flag, name]).stdout.toString().trim(),
  )
  return uid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Programs of a PostgreSQL that the system has, run as a user that it accepts: it refuses root. */
import { spawnSync } from 'node:child_process'
import { chownSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'

const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
const isRoot = process.getuid?.() === 0
const user = isRoot ? userOf('postgres') : undefined

/** Why this machine cannot, or false. */
export const cannotPostgres: string | false = whyNot()

function whyNot(): string | false {
  if (bin === undefined) return 'PostgreSQL is not installed (Debian: postgresql-15)'
  return isRoot && user === undefined ? 'there is no user postgres to start it as' : false
}

/** A folder that the user of PostgreSQL owns. */
export async function postgresFolder(): Promise<string> {
  const folder = await mkdtemp('/tmp/reprise-postgres-')
  await chmod(folder, 0o700)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  return folder
}

export const binFolder = bin ?? ''

/** A program and its words, as the user of PostgreSQL runs it. */
export const asPostgres = (
  program: string,
  args: readonly string[],
): readonly [program: string, args: readonly string[]] =>
  user === undefined
    ? [program, args]
    : [
        'setpriv',
        [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', program, ...args],
      ]

export function runPostgres(program: string, args: readonly string[]) {
  const [first, all] = asPostgres(join(binFolder, program), args)
  return spawnSync(first, all, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], timeout: 90_000 })
}

export function mustPostgres(program: string, args: readonly string[]): void {
  const { status, stderr, error } = runPostgres(program, args)
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.toString()}`)
}

/** With everything it has running, without a word. */
export async function killPostgres(data: string): Promise<void> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  // Stopped first: it makes no further process while they are counted.
  process.kill(pid, 'SIGSTOP')
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const all = [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]
  for (const each of all) end(each)
  while (all.some(isThere)) await later(5)
  // Where nobody asks after the dead, its number is taken for a server that still runs.
  await rm(join(data, 'postmaster.pid'), { force: true })
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

function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    spawnSync('id', [flag, name]).stdout.toString().trim(),
  )
  return uid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/**
 * Names a process so that it is never mistaken for a later one with the same pid: where it runs, in which
 * boot, in which pid namespace, since when. What cannot be known from here is 'unknown', never guessed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export type ProcessIdentity = {
  readonly host: string
  /** The installation, where the system has an id for it: two machines may share a host name. */
  readonly machine: string
  readonly bootId: string
  /** Two containers of one host count their pids apart. */
  readonly pidSpace: string
  readonly pid: number
  readonly startTime: string
}

export type Liveness = 'alive' | 'dead' | 'unknown'

let self: ProcessIdentity | undefined

export function selfIdentity(): ProcessIdentity {
  self ??= {
    host: hostname(),
    machine: readTrimmed('/etc/machine-id'),
    bootId: readTrimmed('/proc/sys/kernel/random/boot_id'),
    pidSpace: readPidSpace(),
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? '',
  }
  return self
}

export function isAlive(identity: ProcessIdentity): Liveness {
  const here = selfIdentity()
  if (identity.host !== here.host) return 'unknown'
  if (differ(identity.machine, here.machine)) return 'unknown'
  if (differ(identity.bootId, here.bootId)) return 'dead'
  if (differ(identity.pidSpace, here.pidSpace)) return 'unknown'
  if (identity.pid === here.pid)
    return differ(identity.startTime, here.startTime) ? 'dead' : 'alive'
  if (!isRunning(identity.pid)) return 'dead'
  const startTime = startTimeOf(identity.pid)
  if (startTime === undefined) return 'dead'
  return differ(identity.startTime, startTime) ? 'dead' : 'alive'
}

/**
 * For locks that hold nothing but a pid. A process that began well after the lock was written is another
 * one that was given the same number; the margin allows for a clock that was set in between.
 */
export function ownsOldLock(pid: number, writtenMs: number): boolean {
  if (!isRunning(pid)) return false
  const startedMs = startedAtMs(pid)
  return startedMs === undefined || startedMs < writtenMs + CLOCK_MARGIN_MS
}

const CLOCK_MARGIN_MS = 10 * 60_000

/** Both known, and not the same. */
const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other

export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  if (process.platform === 'linux') return linuxStat(pid) !== undefined
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Undefined when there is no such process; '' when this system does not tell. */
function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStat(pid)?.startTime
  if (process.platform === 'win32') return ''
  return psStartTime(pid)
}

function linuxStat(pid: number): { readonly startTime: string } | undefined {
  const line = readTrimmed(`/proc/${pid}/stat`)
  // The command's name stands in brackets and may itself hold spaces and brackets.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  const startTime = fields[19]
  // A zombie holds its pid until its parent looks, and does nothing any more.
  if (startTime === undefined || state === 'Z' || state === 'X') return undefined
  return { startTime }
}

const psAnswers = new Map<number, { readonly startTime: string; readonly askedMs: number }>()

/** `ps` costs milliseconds, and waiting asks several times a second: an answer is good for a moment. */
function psStartTime(pid: number): string {
  const known = psAnswers.get(pid)
  if (known !== undefined && performance.now() - known.askedMs < 5_000) return known.startTime
  let startTime = ''
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    const ps = ['-o', 'lstart=', '-p', String(pid)]
    startTime = execFileSync('ps', ps, {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    // No `ps`, or the process ended just now; the next look at the pid itself tells which.
  }
  psAnswers.set(pid, { startTime, askedMs: performance.now() })
  return startTime
}

function startedAtMs(pid: number): number | undefined {
  const startTime = startTimeOf(pid)
  if (startTime === undefined || startTime === '') return undefined
  if (process.platform !== 'linux') return Date.parse(`${startTime} UTC`) || undefined
  const boot = /^btime (\d+)$/m.exec(readTrimmed('/proc/stat'))?.[1]
  // Linux counts a process's start in hundredths of a second since boot, on every architecture.
  return boot === undefined ? undefined : Number(boot) * 1000 + Number(startTime) * 10
}

function readPidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has it; elsewhere all processes share one space.
    return ''
  }
}

function readTrimmed(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    // Not on this system: an identity without this part is compared by the others.
    return ''
  }
}

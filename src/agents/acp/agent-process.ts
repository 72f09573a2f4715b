/**
 * A program in a process group of its own, ended whole: its input is closed, then the group is asked, then killed.
 * Whatever is left when this process ends is killed with it, and when this process itself is killed.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { agentEnvironment } from '../../lib/child-environment.ts'
import { deferred } from '../../lib/deferred.ts'
import { guardGroup } from '../../lib/process-reaper.ts'

export type CommandLine = {
  readonly command: string
  readonly args: readonly string[]
  /** Beside our own; what is undefined it is started without. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

interface AgentProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** How it ended, in words. Rejects when it could not be started. */
  readonly ended: Promise<string>
  /** The end of what it wrote to its error output. */
  lastWords(): string
  stop(): Promise<void>
}

const GRACE_MS = 2000
const LAST_WORDS_BYTES = 4096

const alive = new Set<number>()
let isWatched = false

export function startProcess(line: CommandLine, cwd: string, graceMs = GRACE_MS): AgentProcess {
  const child = spawn(line.command, [...line.args], {
    cwd,
    env: { ...agentEnvironment(), ...line.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const { promise: ended, resolve, reject } = deferred<string>()
  ended.catch(() => {}) // told to a caller that awaits it; none has to
  let words: Buffer = Buffer.alloc(0)
  child.stderr.on('data', (chunk: Buffer) => {
    words = Buffer.concat([words, chunk]).subarray(-LAST_WORDS_BYTES)
  })
  child.stdin.on('error', () => {}) // a program that is gone is told of by its end
  child.on('error', (error) => {
    if (child.pid === undefined) reject(error)
  })
  child.on('exit', (code, signal) => {
    if (child.pid !== undefined) tellGroup(child.pid, 'SIGKILL') // what it left behind goes with it
    if (child.pid !== undefined) alive.delete(child.pid)
    guard?.[Symbol.dispose]()
    resolve(signal === null ? `with exit code ${code}` : `by signal ${signal}`)
  })
  const guard = child.pid === undefined ? undefined : watch(child.pid)

  async function stop(): Promise<void> {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const { pid } = child
    child.stdin.end()
    const asked = setTimeout(() => tellGroup(pid, 'SIGTERM'), graceMs / 4)
    const killed = setTimeout(() => tellGroup(pid, 'SIGKILL'), graceMs)
    await ended
    clearTimeout(asked)
    clearTimeout(killed)
  }

  return { child, ended, lastWords: () => words.toString('utf8').trim(), stop }
}

function watch(pid: number): Disposable {
  alive.add(pid)
  if (!isWatched)
    process.on('exit', () => {
      for (const each of alive) tellGroup(each, 'SIGKILL')
    })
  isWatched = true
  return guardGroup(pid)
}

function tellGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // nobody is left in it
  }
}

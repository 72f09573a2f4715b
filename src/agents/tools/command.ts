/**
 * One shell command in a process group of its own. When it is stopped the whole group is: asked first, killed after a
 * grace. That goes on without a caller that waits for it, so a caller that walks away leaves nothing running; neither
 * does this process when it is killed.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { childEnvironment } from '../../lib/child-environment.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { guardGroup } from '../../lib/process-reaper.ts'
import type { EnclosedStart } from '../../lib/sandbox/system-sandbox.ts'
import { boundedOutput } from './bounded-output.ts'

export type CommandOptions = {
  readonly cwd: string
  /** The environment; what programs of a session are given when left out. */
  readonly env?: Readonly<Record<string, string>>
  /** The sandbox in which it runs. */
  readonly enclosed?: EnclosedStart
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Between the request to end and the kill. */
  readonly graceMs?: number
}

export type Ended = {
  readonly output: string
  readonly exitCode: number
  readonly stopped?: 'timeout' | 'aborted'
  /** A process in the background still holds the output; what it writes from now on is not read. */
  readonly leftRunning: boolean
}

export interface Command {
  /** Resolves when there is new output or the end has come. */
  changed(): Promise<void>
  takePiece(): string
  readonly isOver: boolean
  /** Rejects when the command could not be started. */
  readonly ended: Promise<Ended>
  stop(): void
}

/** How long output is waited for after the shell is gone. */
const DRAIN_MS = 1000
const GRACE_MS = 2000
const WATCH_MS = 50

export const shellPath = (): string => (existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh')

export function startCommand(text: string, options: CommandOptions): Command {
  const { cwd, env, enclosed, timeoutMs, signal, graceMs = GRACE_MS } = options
  const shell = shellPath()
  const { words = [], files = [] } = enclosed ?? {}
  // One pipe for both outputs keeps them in the order in which they were written.
  const child = spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...words, shell, '-c', text], {
    cwd,
    env: env ?? childEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', ...files],
  }) as ChildProcessByStdio<null, Readable, null>
  const guard = child.pid === undefined ? undefined : guardGroup(child.pid)
  const output = boundedOutput()
  const { promise: ended, resolve, reject } = deferred<Ended>()
  ended.catch(() => {}) // told to a caller that awaits it; none has to
  let change = deferred<void>()
  let stopped: Ended['stopped']
  let isOver = false
  let isClosed = false
  let isKilled = false
  let exitCode: number | undefined
  let killer: NodeJS.Timeout | undefined
  let drain: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined

  const timer = setTimeout(() => stop('timeout'), timeoutMs)
  const onAbort = () => stop('aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()

  child.stdout.on('data', (chunk: Buffer) => {
    output.add(chunk)
    change.resolve()
  })
  child.on('error', (error) => {
    if (child.pid !== undefined) return
    finish()
    reject(error)
  })
  child.on('exit', (code, name) => {
    exitCode = code ?? 128 + (name === null ? 0 : constants.signals[name])
    drain = setTimeout(end, DRAIN_MS, { leftRunning: true })
  })
  child.on('close', () => {
    isClosed = true
    end({ leftRunning: false })
  })

  function stop(why: NonNullable<Ended['stopped']>): void {
    if (stopped !== undefined || isOver) return
    stopped = why
    tellGroup('SIGTERM')
    killer = setTimeout(() => {
      isKilled = true
      tellGroup('SIGKILL')
      end({ leftRunning: false })
    }, graceMs)
    // Nothing tells when the last of a group is gone.
    watch = setInterval(() => isClosed && end({ leftRunning: false }), WATCH_MS)
  }

  /** Says whether a process of the group was left to tell. */
  function tellGroup(what: NodeJS.Signals | 0): boolean {
    if (child.pid === undefined) return false
    try {
      return process.kill(-child.pid, what)
    } catch {
      // ESRCH: no process of the group is left.
      return false
    }
  }

  function end({ leftRunning }: { leftRunning: boolean }): void {
    if (isOver || exitCode === undefined) return
    // The shell went when it was asked to; the rest of its group has until the kill.
    if (stopped !== undefined && !isKilled && tellGroup(0)) return
    child.stdout.destroy()
    finish()
    resolve({
      output: output.text(),
      exitCode,
      leftRunning,
      ...defined({ stopped }),
    })
  }

  function finish(): void {
    isOver = true
    guard?.[Symbol.dispose]()
    clearTimeout(timer)
    clearTimeout(killer)
    clearTimeout(drain)
    clearInterval(watch)
    signal.removeEventListener('abort', onAbort)
    change.resolve()
  }

  return {
    async changed() {
      await change.promise
      if (!isOver) change = deferred()
    },
    takePiece: () => output.takePiece(),
    get isOver() {
      return isOver
    },
    ended,
    stop: () => stop('aborted'),
  }
}

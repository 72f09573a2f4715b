/** Starts the writer process and keeps every line that it printed, also those from just before its end. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { WriterTask } from './writer.ts'

export type WriterProcess = AsyncDisposable & {
  readonly pid: number
  readonly lines: readonly string[]
  /** The first line that begins so; throws when the process ends without it. */
  line(start: string): Promise<string>
  begin(): void
  kill(): void
  signal(signal: NodeJS.Signals): void
  /** Resolves when it is gone and all it printed is read. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Compiled once for all the processes of all runs: most of the time of a short life is its start. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/tests', import.meta.url))

export function startWriter(
  home: string,
  task: WriterTask,
  session: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): WriterProcess {
  return startProcess('writer.ts', [home, task, session, ...args], env)
}

export function startProcess(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): WriterProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // One thread for what waits for the disk, and no ring: strace counts calls for each thread.
    env: {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      UV_THREADPOOL_SIZE: '1',
      UV_USE_IO_URING: '0',
      ...env,
    },
  })
  const lines: string[] = []
  let half = ''
  let wake = () => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (half + text).split('\n')
    half = parts.pop() ?? ''
    lines.push(...parts)
    wake()
  })
  child.stdin.on('error', () => {}) // it may be dead before it is told to begin
  const closed = once(child, 'close').finally(() => wake())
  return {
    pid: child.pid ?? 0,
    lines,
    async line(start) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(start))
        if (found !== undefined) return found
        if (hasEnded(child))
          throw new Error(`the process ended without saying "${start}": ${lines.join(' | ')}`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    begin: () => void child.stdin.write('begin\n'),
    kill: () => void child.kill('SIGKILL'),
    signal: (signal) => void child.kill(signal),
    async ended() {
      await closed
      return { code: child.exitCode, signal: child.signalCode }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

const hasEnded = (child: ChildProcess): boolean => child.stdout?.closed === true

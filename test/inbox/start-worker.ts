/** Starts the process that is at work, and keeps every line that it says. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SessionId } from '../../src/format/ids.ts'

export type Worker = AsyncDisposable & {
  readonly id: SessionId
  send(prompt: string): void
  /** Takes the first line that begins so; throws when the process ends without it. */
  line(start: string): Promise<string>
  signal(signal: NodeJS.Signals): void
  kill(): Promise<void>
}

export async function startWorker(home: string, env: NodeJS.ProcessEnv = {}): Promise<Worker> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('worker.ts', import.meta.url)), home],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_NO_WARNINGS: '1', ...env } },
  )
  const lines: string[] = []
  let half = ''
  let wake = () => {}
  child.stdin.on('error', () => {}) // it may be dead before it is told anything
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (half + text).split('\n')
    half = parts.pop() ?? ''
    lines.push(...parts)
    wake()
  })
  const closed = once(child, 'close').finally(() => wake())
  const line = async (start: string): Promise<string> => {
    for (;;) {
      const at = lines.findIndex((each) => each.startsWith(start))
      const [found] = at === -1 ? [] : lines.splice(at, 1)
      if (found !== undefined) return found
      if (child.stdout.closed) throw new Error(`the process ended without saying "${start}"`)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await closed
  }
  const id = (await line('ready ')).slice('ready '.length) as SessionId
  return {
    id,
    send: (prompt) => void child.stdin.write(`${prompt}\n`),
    line,
    signal: (signal) => void child.kill(signal),
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

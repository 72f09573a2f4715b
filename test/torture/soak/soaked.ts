/** A program that is used for long, and what it holds: read by Node's own inspector, which listens on the loopback. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { PROGRAM } from '../../support/program.ts'

export type Soaked = AsyncDisposable & {
  /** The process that is measured. */
  readonly measured: Measured
  /** One session from its beginning to its end, the nth of this program. */
  live(nth: number): Promise<void>
}

type Program = AsyncDisposable & { readonly measured: Measured; readonly port: number }

/** A program of ours that names its port when it is ready. */
export async function startSoaked(
  args: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const { inspector, env } = await inspectable()
  const child = spawn(PROGRAM, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: cwd, ...more, ...env },
  })
  const ended = once(child, 'exit')
  return {
    measured: { pid: child.pid ?? 0, inspector },
    port: await saidPort(child.stdout),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The port in the first line that names one. The rest is read and forgotten, so that the program never waits. */
const saidPort = (output: Readable): Promise<number> =>
  new Promise((resolve, reject) => {
    createInterface({ input: output })
      .on('line', (line) => {
        const port = Number(/(?:listening on port |127\.0\.0\.1:)(\d+)/i.exec(line)?.[1])
        if (port > 0) resolve(port)
      })
      .on('close', () => reject(new Error('The server did not start.')))
  })

export type Measured = { readonly pid: number; readonly inspector: number }

export type Held = {
  /** After a collection, in bytes. */
  readonly heap: number
  /** Of the process, in bytes. */
  readonly rss: number
  /** What keeps its event loop busy: sockets, timers, watchers, workers. */
  readonly handles: number
  readonly files: number
}

/** For a program that can be measured. */
export async function inspectable(): Promise<{
  readonly inspector: number
  readonly env: { readonly NODE_OPTIONS: string; readonly NODE_NO_WARNINGS: string }
}> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  // Told by HTTP alone: a terminal program has no line to spare.
  const options = `--inspect=127.0.0.1:${port} --inspect-publish-uid=http`
  return { inspector: port, env: { NODE_OPTIONS: options, NODE_NO_WARNINGS: '1' } }
}

export async function heldBy({ pid, inspector }: Measured): Promise<Held> {
  const ask = await inspect(inspector)
  try {
    // What a finalizer lets go of is free after the next collection.
    for (let times = 0; times < 3; times += 1) await ask('HeapProfiler.collectGarbage')
    const answer = await ask('Runtime.evaluate', {
      expression:
        '[process.memoryUsage().heapUsed, process.getActiveResourcesInfo().length].join()',
    })
    const [heap = Number.NaN, handles = Number.NaN] = String(answer.result?.value)
      .split(',')
      .map(Number)
    return { heap, handles, rss: rssOf(pid), files: readdirSync(`/proc/${pid}/fd`).length }
  } finally {
    await ask.end()
  }
}

type Answer = { readonly result?: { readonly value?: unknown } }
type Ask = ((method: string, params?: object) => Promise<Answer>) & { end(): Promise<void> }

async function inspect(port: number): Promise<Ask> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`, {
    headers: { connection: 'close' },
  })
  const [target] = (await listed.json()) as { readonly webSocketDebuggerUrl: string }[]
  if (target === undefined) throw new Error('The inspector has no target.')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await once(socket, 'open')
  let last = 0
  const ask = (method: string, params: object = {}) => {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise<Answer>((resolve, reject) => {
      const take = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as {
          readonly id?: number
          readonly result?: Answer
          readonly error?: { readonly message: string }
        }
        if (message.id !== id) return
        socket.removeEventListener('message', take)
        if (message.result === undefined) reject(new Error(message.error?.message))
        else resolve(message.result)
      }
      socket.addEventListener('message', take)
    })
  }
  return Object.assign(ask, {
    async end() {
      socket.close()
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
    },
  })
}

const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

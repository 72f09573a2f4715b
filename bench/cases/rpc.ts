/** A program that uses the server: from its start to the first answer, lists and long sessions. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { SessionId } from '../../src/format/ids.ts'
import { contentLength } from '../../src/lib/json-rpc/content-length.ts'
import type { Case } from '../case.ts'
import type { Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

export type Caller = (method: string, params?: object) => Promise<unknown>

export function callerOn(output: Readable, input: Writable): Caller {
  const reader = contentLength.openReader(1 << 30)
  const waiting = new Map<number, (result: unknown) => void>()
  let count = 0
  output.on('data', (chunk: Buffer) => {
    for (const body of reader.push(chunk)) {
      const { id, result } = JSON.parse(body) as { id?: number; result?: unknown }
      if (id !== undefined) waiting.get(id)?.(result)
    }
  })
  return (method, params = {}) =>
    new Promise((resolve) => {
      waiting.set(++count, resolve)
      input.write(contentLength.encode({ jsonrpc: '2.0', id: count, method, params }))
    })
}

type Place = { readonly reprise: string; readonly home: string }

async function withServer<T>(
  { reprise, home }: Place,
  action: (call: Caller, pid: number) => Promise<T>,
): Promise<T> {
  const child = spawn(reprise, ['--headless', '--stdio', '--agent', 'offline', '--home', home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    return await action(callerOn(child.stdout, child.stdin), child.pid ?? 0)
  } finally {
    child.kill()
  }
}

export function start(place: Place): Promise<Sample> {
  const startedAt = performance.now()
  return withServer(place, async (call, pid) => {
    await call('connect')
    const ms = performance.now() - startedAt
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readStatus(pid)) ?? []
    return { ms, idleMb: Number(kib) / 1024 }
  })
}

const readStatus = (pid: number) => {
  const path = `/proc/${pid}/status`
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

export const list = (place: Place): Promise<Sample> =>
  withServer(place, async (call) => {
    await call('session.list')
    const { ms } = await timedAsync(() => call('session.list'))
    return { ms }
  })

export const resume = ({ id, ...place }: Place & { id: SessionId }): Promise<Sample> =>
  withServer(place, async (call) => {
    await call('connect')
    const { ms } = await timedAsync(() => call('session.resume', { sessionId: id }))
    return { ms }
  })

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export const rpcCase: Case = {
  name: 'rpc',
  async figures({ homes: { s1k, s10k, big }, scratch, measure }) {
    const reprise = join(root, 'bin', 'reprise')
    const trial = (probe: string, args: Readonly<Record<string, unknown>>) => ({
      module: 'cases/rpc',
      probe,
      args: { reprise, ...args },
    })
    await measure(1, {
      started: trial('start', { home: s1k }),
      resumed: trial('resume', { home: big.home, id: big.id }),
    })
    const { started, listed, resumed, told } = await measure(7, {
      started: trial('start', { home: s1k }),
      listed: trial('list', { home: s10k }),
      resumed: trial('resume', { home: big.home, id: big.id }),
      told: {
        module: 'cases/rpc-broadcast',
        probe: 'broadcast',
        args: { home: join(scratch, 'rpc') },
      },
    })
    return [
      {
        name: 'server start to connect',
        unit: 'ms',
        target: { atMost: 120 },
        measured: started('ms'),
      },
      {
        name: 'memory of an idle server',
        unit: 'MB',
        target: { atMost: 80 },
        measured: started('idleMb'),
      },
      {
        name: 'session.list of 10,000',
        unit: 'ms',
        target: { atMost: 120 },
        measured: listed('ms'),
      },
      {
        name: 'session.resume of 100 MB',
        unit: 'ms',
        target: { atMost: 150 },
        measured: resumed('ms'),
      },
      {
        name: '1,000 events to 50 clients',
        unit: 'ms',
        target: { atMost: 1000 },
        measured: told('ms'),
      },
      {
        name: 'processor time of the server for them',
        unit: 'ms',
        target: { atMost: 1000 },
        measured: told('cpuMs'),
      },
    ]
  },
}

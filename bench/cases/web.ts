/** 200 clients that follow one session by server-sent events while it gets 1,000 events a second. */
import { mkdirSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Agent } from '../../src/engine/agent.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import type { Case } from '../case.ts'
import type { Sample } from '../measure.ts'
import { TOKEN, webAt } from '../web-at.ts'
import { converse } from '../../test/support/engine.ts'

const SECONDS = 5

export async function follow({
  home,
  clients,
  perSecond,
}: {
  home: string
  clients: number
  perSecond: number
}): Promise<Sample> {
  const fs = openDisk(home)
  const agent = speaker(perSecond)
  const engine = createEngine({ cwd: process.cwd(), fs, agent, clientName: 'bench' })
  await using server = await webAt(engine, home)
  const { id } = await engine.create({ cwd: home })
  await (await engine.open(id)).save()
  const times: number[] = []
  const opened = await Promise.all(
    Array.from({ length: clients }, () => open(`${server.url}/api/sessions/${id}/stream`, times)),
  )
  const before = process.memoryUsage().rss
  await converse(engine, id, { prompt: 'go' })
  await wait(500)
  const grownMb = (process.memoryUsage().rss - before) / 1024 / 1024
  for (const close of opened) close()
  await engine.stop()
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Infinity
  return {
    p50: at(0.5),
    p99: at(0.99),
    received: (sorted.length / (clients * perSecond * SECONDS)) * 100,
    grownMb,
  }
}

/** Each message carries the time at which it was said. */
function speaker(perSecond: number): Agent {
  return {
    name: 'speaker',
    async *run() {
      const start = performance.now()
      for (let said = 0; said < perSecond * SECONDS; said++) {
        const due = start + (said * 1000) / perSecond
        if (due > performance.now() + 1) await wait(due - performance.now())
        const content = `@${performance.now()}@ ${'words '.repeat(20)}`
        yield {
          draft: { type: 'assistant.message', data: { messageId: crypto.randomUUID(), content } },
        }
      }
    },
  }
}

/** Looks only for the times: 200 clients in the process of the server must not be what is measured. */
function open(url: string, times: number[]): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const request = get(url, { headers, agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => {
        const now = performance.now()
        const text = chunk.toString('latin1')
        for (let at = text.indexOf('"@'); at !== -1; at = text.indexOf('"@', at + 2))
          times.push(now - Number(text.slice(at + 2, text.indexOf('@', at + 2))))
        if (text.includes('event: ready')) resolve(() => request.destroy())
      })
      response.on('error', () => {})
    })
    request.on('error', reject)
  })
}

export const webCase: Case = {
  name: 'web',
  async figures({ scratch, measure }) {
    const home = join(scratch, 'web')
    const before = () => {
      rmSync(home, { recursive: true, force: true })
      mkdirSync(home, { mode: 0o700 })
    }
    const args = { home, clients: 200, perSecond: 1000 }
    const { web } = await measure(3, {
      web: { module: 'cases/web', probe: 'follow', args, before },
    })
    return [
      {
        name: '200 clients on 1,000 events a second: from said to received, p99',
        unit: 'ms',
        target: { atMost: 100 },
        measured: web('p99'),
      },
      {
        name: '200 clients on 1,000 events a second: memory that it adds',
        unit: 'MB',
        target: { atMost: 300 },
        measured: web('grownMb'),
      },
      {
        name: '200 clients on 1,000 events a second: events received',
        unit: '%',
        target: 'none',
        measured: web('received'),
      },
    ]
  },
}

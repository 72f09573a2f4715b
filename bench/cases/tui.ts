/** What a person at the keyboard feels: the first frame, a key while an answer streams, memory in a long session. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createEngine } from '../../src/engine/engine.ts'
import type { Agent, AgentItem } from '../../src/engine/agent.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import type { Start } from '../../src/surfaces/tui/options.ts'
import { runTui } from '../../src/surfaces/tui/run.ts'
import { createFakeTerminal, noPast } from '../../test/tui/stand-ins.ts'
import type { Case } from '../case.ts'
import type { Figure } from '../figure.ts'
import type { Sample, Summary } from '../measure.ts'
import { freshCopy } from '../sessions.ts'
import { makeSnapshot } from '../snapshot.ts'

export const snapshot = makeSnapshot

const reprise = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'reprise')

export const tuiCase: Case = {
  name: 'tui',
  async figures({ homes: { big }, scratch, measure }) {
    const home = join(scratch, 'tui')
    // As it is for whoever opens the session again; the first opening is measured with resuming.
    const copied = { module: 'cases/tui', probe: 'snapshot', args: { home: big.home, id: big.id } }
    await measure(1, { copied })
    const args = { home, id: big.id }
    const before = () => void freshCopy(big, home)
    const { read, typed } = await measure(3, {
      read: { module: 'cases/tui', probe: 'reading', args, before },
      typed: { module: 'cases/tui', probe: 'typing', args, before },
    })
    return [
      ...firstFrame(await firstFrames(home)),
      {
        name: 'key to screen while 1,000 deltas a second come in, p99',
        unit: 'ms',
        target: { atMost: 30 },
        measured: typed('p99'),
      },
      {
        name: 'memory of the terminal in the session of 100,000 events, 200 pages up',
        unit: 'MB',
        target: { atMost: 200 },
        measured: read('rssMb'),
      },
      {
        name: 'memory of a turn in it, with the model context of a log that was never compacted',
        unit: 'MB',
        target: { atMost: 200 },
        measured: typed('rssMb'),
      },
    ]
  },
}

const firstFrame = (measured: Summary | undefined): Figure[] =>
  measured === undefined
    ? []
    : [{ name: 'first frame of the terminal', unit: 'ms', target: { atMost: 200 }, measured }]

const RUNS = 11

/** From the start of the process to the first frame, in a pseudo terminal; undefined where there is no `script`. */
async function firstFrames(home: string): Promise<Summary | undefined> {
  if (spawnSync('script', ['--version']).status !== 0) return undefined
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    const ms = await timeOfFrame(`${reprise} --agent offline --home ${home}`)
    // The first run fills the compile cache, as any earlier one did.
    if (run > 0) times.push(ms)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(RUNS - 1, Math.floor(part * RUNS))] ?? 0
  return { median: at(0.5), min: at(0), p95: at(0.95), runs: RUNS }
}

async function timeOfFrame(command: string): Promise<number> {
  const startedAt = performance.now()
  const child = spawn('script', ['-qefc', command, '/dev/null'])
  const { promise: shown, resolve, reject } = Promise.withResolvers<number>()
  child.stdout.on('data', (chunk) => {
    if (String(chunk).includes('Type a message')) resolve(performance.now() - startedAt)
  })
  child.on('exit', () => reject(new Error('The program ended before its first frame.')))
  const ms = await shown
  child.stdin.write('\x04')
  await once(child, 'exit')
  return ms
}

const DELTAS = 5000
const KEYS = 200

/** A thousand pieces of text a second, as fast models with small tokens give them. */
const streaming: Agent = {
  name: 'streaming',
  async *run(): AsyncGenerator<AgentItem> {
    const startedAt = performance.now()
    for (let sent = 0; sent < DELTAS;) {
      for (const due = Math.min(DELTAS, performance.now() - startedAt); sent < due; sent++) {
        const deltaContent = sent % 60 === 59 ? '.\n\n' : `word${sent} `
        yield {
          notice: { type: 'assistant.message_delta', data: { messageId: 'm', deltaContent } },
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  },
}

type Place = { readonly home: string; readonly id: SessionId }

/** In the project of the session: elsewhere it would ask where to work. */
async function open({ home, id }: Place) {
  const engine = createEngine({ cwd: home, fs: openDisk(home) })
  const cwd = (await engine.summary(id))?.cwd ?? home
  return openTerminal({ home, cwd, start: { kind: 'open', id, isNew: false } }, streaming)
}

export async function reading(place: Place): Promise<Sample> {
  await using opened = await open(place)
  const { press, writes } = opened
  await writes('commands')
  for (let page = 0; page < 200; page++) {
    const drawn = writes('follows')
    press('\x1b[5~')
    // At the top nothing is drawn until the next page of the log is there.
    await Promise.race([drawn, soon(50)])
  }
  return {}
}

export async function typing(place: Place): Promise<Sample> {
  await using opened = await open(place)
  const { press, writes } = opened
  await writes('commands')
  press('go')
  press('\r')
  await writes('word1 ')
  const times: number[] = []
  for (let key = 0; key < KEYS; key++) {
    const sign = String.fromCharCode(0x4e00 + key)
    const startedAt = performance.now()
    const shown = writes(sign)
    press(sign)
    await shown
    times.push(performance.now() - startedAt)
    await soon(17)
  }
  times.sort((a, b) => a - b)
  return { p99: times[Math.floor(KEYS * 0.99)] ?? 0 }
}

const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function openTerminal(
  {
    home,
    cwd = home,
    start,
  }: { readonly home: string; readonly cwd?: string; readonly start: Start },
  agent: Agent,
) {
  const engine = createEngine({ cwd, fs: openDisk(home), agent })
  const end = new AbortController()
  const { terminal, press, writes } = listeningTerminal()
  const ended = runTui(
    {
      engine,
      version: '0',
      home,
      cwd,
      env: {},
      start,
      permissions: { allowAll: true },
      signal: end.signal,
      now: () => new Date(),
      lookAround: async () => ({ agents: [], others: 0 }),
      agents: {
        list: () => [],
        answering: async () => ({ kind: 'offline', name: 'offline', says: 'nobody' }),
        find: async () => [],
        usual: async () => '',
        models: async () => ({ offered: [] }),
        test: async () => '',
        remember: async () => {},
        welcomed: async () => true,
        logins: () => Promise.reject(new Error('Nobody can log in.')),
        make: async () => streaming,
      },
      listFiles: async () => [],
      editOutside: async (text) => text,
      copyOutside: async () => false,
      suspend: async () => {},
      past: noPast,
      settings: {},
      saveLook: async () => {},
      seen: () => {},
      guests: { link: () => Promise.reject(new Error('There is no server.')) },
      allowedCommands: { has: async () => false, add: async () => {} },
      pictures: { at: async () => undefined, inClipboard: async () => undefined },
    },
    terminal,
  )
  return {
    press,
    writes,
    async [Symbol.asyncDispose]() {
      end.abort()
      await ended
      await engine.stop()
    },
  }
}

/** A terminal that only listens. */
function listeningTerminal() {
  let awaited: { readonly text: string; readonly done: () => void } | undefined
  const { terminal, press } = createFakeTerminal({
    write(data) {
      if (awaited !== undefined && data.includes(awaited.text)) awaited.done()
    },
    size: () => ({ columns: 120, rows: 40 }),
  })
  const writes = (text: string) => new Promise<void>((done) => (awaited = { text, done }))
  return { terminal, press, writes }
}

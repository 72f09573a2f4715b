/** The genuine Copilot CLI and Reprise, asked the same by one client, in turn, on copies of the same homes. */
import { spawn } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../../test/interop/install.ts'
import type { Case } from '../case.ts'
import type { Figure } from '../figure.ts'
import type { Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'
import { callerOn, type Caller } from './rpc.ts'

type Peer = {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Nobody is there: nothing is sent to a model. */
const MODEL = { model: 'none', provider: { type: 'openai', baseUrl: 'http://127.0.0.1:9/v1' } }

type Asked = Peer & {
  /** Sessions of which one is asked for, and the home of one that is long. */
  readonly id: string
  readonly isLong: boolean
}

export async function ask({ file, args, env, id, isLong }: Asked): Promise<Sample> {
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  try {
    const call = callerOn(child.stdout, child.stdin)
    await call('connect', { supportedTaskKinds: ['agent', 'client', 'shell'] })
    return await (isLong ? askLong(call, id) : askMany(call, id))
  } finally {
    child.kill()
  }
}

async function timesOf(steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<Sample> {
  const sample: Record<string, number> = {}
  for (const [name, step] of Object.entries(steps)) sample[name] = (await timedAsync(step)).ms
  return sample
}

const askMany = (call: Caller, sessionId: string): Promise<Sample> =>
  timesOf({
    list: () => call('session.list'),
    metadata: () => call('session.getMetadata', { sessionId }),
    again: () => call('session.getMetadata', { sessionId }),
    inUse: () => call('sessions.checkInUse', { sessionIds: [sessionId] }),
    prefix: () => call('sessions.findByPrefix', { prefix: sessionId.slice(0, 8) }),
    latest: () => call('session.getLastId'),
  })

async function askLong(call: Caller, sessionId: string): Promise<Sample> {
  const events: { readonly id: string; readonly type: string }[] = []
  const boundary = () => {
    const said = events.filter(({ type }) => type === 'user.message')
    return said[Math.floor(said.length / 2)]?.id ?? ''
  }
  return timesOf({
    resume: () => call('session.resume', { sessionId, ...MODEL }),
    messages: async () => {
      const answer = (await call('session.getMessages', { sessionId })) as { events: never[] }
      for (const event of answer.events) events.push(event)
    },
    fork: () => call('sessions.fork', { sessionId }),
    forkAtHalf: () => call('sessions.fork', { sessionId, toEventId: boundary() }),
    rewind: () => call('session.history.truncate', { sessionId, eventId: boundary() }),
  })
}

const CALLS = {
  list: 'session.list of 10,000',
  metadata: 'session.getMetadata after it',
  again: 'session.getMetadata once more',
  inUse: 'sessions.checkInUse of one',
  prefix: 'sessions.findByPrefix',
  latest: 'session.getLastId',
  resume: 'session.resume of a foreign log of 100 MB',
  messages: 'session.getMessages of it',
  fork: 'sessions.fork of it',
  forkAtHalf: 'sessions.fork at half',
  rewind: 'session.history.truncate at half',
} as const

const RUNS = 3

export const peersCase: Case = {
  name: 'peers',
  async figures({ homes: { s10k, big }, scratch, measure }) {
    const { copilot, cache } = await install()
    const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
    const peers = (home: string): Record<'ours' | 'genuine', Peer> => ({
      ours: {
        file: join(root, 'bin', 'reprise'),
        args: ['--headless', '--stdio', '--agent', 'offline', '--home', home],
        env: {},
      },
      genuine: {
        file: copilot,
        args: ['--headless', '--no-auto-update', '--no-auto-login', '--stdio'],
        env: {
          HOME: home,
          COPILOT_HOME: home,
          XDG_CACHE_HOME: cache,
          COPILOT_OFFLINE: 'true',
          COPILOT_PROVIDER_BASE_URL: MODEL.provider.baseUrl,
          COPILOT_MODEL: MODEL.model,
        },
      },
    })
    const trials = (from: string, id: string, isLong: boolean) => {
      const copy = (name: string) => join(scratch, `peer-${name}`)
      const one = (name: 'ours' | 'genuine', isFresh: boolean) => ({
        module: 'cases/peers',
        probe: 'ask',
        args: { ...peers(copy(name))[name], id, isLong },
        ...(isFresh && { before: () => foreignCopy(from, copy(name)) }),
      })
      for (const name of ['ours', 'genuine'] as const) foreignCopy(from, copy(name))
      return { ours: one('ours', isLong), genuine: one('genuine', isLong) }
    }
    const [id = ''] = readdirSync(join(s10k, 'session-state'))
    const few = await measure(RUNS, trials(s10k, id, false))
    const long = await measure(RUNS, trials(big.home, big.id, true))
    return Object.entries(CALLS).map(([key, name]): Figure => {
      const { ours, genuine } = key in MANY ? few : long
      return {
        name,
        unit: 'ms',
        target: { times: 1 },
        measured: ours(key),
        limit: { name: 'the genuine CLI', measured: genuine(key) },
      }
    })
  },
}

const MANY = { list: true, metadata: true, again: true, inUse: true, prefix: true, latest: true }

/** As another program left it: nothing that we derive is in it. */
function foreignCopy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(join(from, 'session-state'), join(to, 'session-state'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.includes('/.reprise'),
  })
}

/**
 * What Mission Control costs the machine that exports: processor time that is added to a turn, the first look at the
 * sessions of other machines, and all sessions of a home sent at once. The server is another process on the same machine.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../src/config/config-file.ts'
import { writeConfig } from '../../src/config/load.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { farLists } from '../../src/remote/far-list.ts'
import { defined } from '../../src/lib/defined.ts'
import { openServer } from '../../src/remote/control-client.ts'
import { withRemote } from '../../src/wiring/follow-remote.ts'
import { startNode, type TestNode } from '../../test/control/node.ts'
import { startModelServer } from '../../test/model-server/server.ts'
import { converse } from '../../test/support/engine.ts'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import { summaryOf, type Measured, type Sample, type Trial } from '../measure.ts'
import { timedAsync } from '../timed.ts'
import { agentFor, cpuMs, reply } from './turn.ts'

type Address = { readonly url: string; readonly token: string }
type TurnPlace = Partial<Address> & { readonly home: string; readonly baseUrl: string }

/** A turn of the model's answers takes about ten seconds. */
const PACE_MS = 10
const PAIRS = 30
const PROMPT = 'Rename the value everywhere and run the tests.'

/** The processor time of each turn of a home; with an address, of one that is exported. */
export async function turns({ home, baseUrl, ...address }: TurnPlace): Promise<Sample> {
  const control = 'url' in address ? { ...address, mode: 'export' as const } : undefined
  const { engine, id } = await begin(home, baseUrl, defined({ control }))
  const remote = await engine.remote?.()
  const sample: Record<string, number> = {}
  for (let pair = 0; pair < PAIRS; pair += 1) {
    sample[`cpu${pair}`] = await cpuMs(async () => {
      const { ms } = await timedAsync(() => converse(engine, id, { prompt: PROMPT }))
      sample[`turn${pair}`] = ms
      await remote?.push(id)
    })
  }
  await engine.stop()
  return sample
}

/** Percent of each turn: both homes have theirs at the same time, so that what disturbs one disturbs the other. */
const sharesOf = (kept: Measured, sent: Measured): readonly number[] =>
  Array.from({ length: PAIRS }, (_, pair) => {
    const added = sent(`cpu${pair}`).median - kept(`cpu${pair}`).median
    return (added / sent(`turn${pair}`).median) * 100
  })

async function begin(
  home: string,
  baseUrl: string,
  config: Config,
): Promise<{ readonly engine: Engine; readonly id: SessionId }> {
  const root = join(home, 'project')
  mkdirSync(root, { recursive: true })
  await writeConfig(openDisk(home), config)
  const engine = withRemote(
    createEngine({
      cwd: root,
      fs: openDisk(home),
      agent: agentFor(baseUrl),
      policy: () => ({ kind: 'allow', by: 'policy' }),
      trackFiles: true,
    }),
    {},
  )
  const { id } = await engine.create({ cwd: root })
  // The first turn loads what the others use.
  await converse(engine, id, { prompt: PROMPT })
  return { engine, id }
}

export async function look({ home, url, token }: Address & { home: string }): Promise<Sample> {
  const lists = farLists({ fs: openDisk(home), server: openServer({ url, token }) })
  const { ms, result } = await timedAsync(() => lists.near({}, { limit: 100 }))
  if (result.trouble !== undefined) throw new Error(result.trouble)
  return { ms, sessions: result.total }
}

export async function syncAll({ home, url, token }: Address & { home: string }): Promise<Sample> {
  const control = { url, token, mode: 'export' as const }
  await writeConfig(openDisk(home), { control })
  const engine = withRemote(engineAt(home), {})
  const remote = await engine.remote?.()
  if (remote === undefined) throw new Error('There is no Mission Control.')
  let all = { created: 0, eventsUploaded: 0 }
  const cpu = { ms: 0 }
  const first = await timedAsync(async () => {
    cpu.ms = await cpuMs(async () => (all = await remote.sync()))
  })
  const again = await timedAsync(() => remote.sync())
  await engine.stop()
  return { ms: first.ms, againMs: again.ms, cpuMs: cpu.ms, created: all.created }
}

const LISTED = 10_000

export const remoteCase: Case = {
  name: 'remote',
  async figures({ homes, scratch, measure }) {
    await using node = await startNode()
    const { token } = await node.person('ann')
    const address = { url: node.url, token }
    const base = join(scratch, 'remote')
    rmSync(base, { recursive: true, force: true })
    const trial = (probe: string, args: Trial['args']): Trial => ({
      module: 'cases/remote',
      probe,
      args,
    })
    await using model = await startModelServer((asked) => ({ ...reply(asked), paceMs: PACE_MS }))
    const { baseUrl } = model
    const [{ kept }, { sent }] = await Promise.all([
      measure(1, { kept: trial('turns', { home: join(base, 'kept'), baseUrl }) }),
      measure(1, { sent: trial('turns', { home: join(base, 'sent'), baseUrl, ...address }) }),
    ])
    await addSessions(node, LISTED)
    const { looked } = await measure(7, {
      looked: trial('look', { home: join(scratch, 'look'), ...address }),
    })
    const home = join(scratch, 'sync')
    cpSync(homes.s10k, home, { recursive: true, preserveTimestamps: true })
    const { sync } = await measure(1, { sync: trial('syncAll', { home, ...address }) })
    return [
      {
        name: 'processor time that export adds to a turn of 10 s',
        unit: '%',
        target: { atMost: 2 },
        measured: summaryOf(sharesOf(kept, sent)),
      },
      {
        name: 'first look at 10,000 remote sessions',
        unit: 'ms',
        target: { atMost: 300 },
        measured: looked('ms'),
      },
      {
        name: 'sync of 10,000 sessions that were never sent',
        unit: 'ms',
        target: 'none',
        measured: sync('ms'),
      },
      {
        name: 'processor time of that',
        unit: 'ms',
        target: 'none',
        measured: sync('cpuMs'),
      },
      {
        name: 'sync again, with nothing to send',
        unit: 'ms',
        target: 'none',
        measured: sync('againMs'),
      },
    ]
  },
}

/** Rows as an export makes them; lists look at nothing else. */
async function addSessions({ db }: TestNode, count: number): Promise<void> {
  const model = await db.query.selectFrom('sessions').selectAll().limit(1).executeTakeFirstOrThrow()
  for (let at = 0; at < count; at += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      ...model,
      id: crypto.randomUUID(),
      machine: 'another',
      name: `Session ${at + index}`,
      changed: model.changed + at + index,
    }))
    await db.query.insertInto('sessions').values(rows).execute()
  }
}

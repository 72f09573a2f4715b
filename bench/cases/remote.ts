/**
 * What Mission Control costs the machine that exports: processor time that is added to a turn, the first look at the
 * sessions of other machines, and all sessions of a home sent at once. The server is another process on the same machine.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../src/config/config-file.ts'
import { writeConfig } from '../../src/config/load.ts'
import { createEngine } from '../../src/engine/engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { farLists } from '../../src/remote/far-list.ts'
import { openServer } from '../../src/remote/server.ts'
import { withRemote } from '../../src/wiring/follow-remote.ts'
import { startNode } from '../../test/control/node.ts'
import type { TestNode } from '../../test/control/node.ts'
import { startModelServer } from '../../test/model-server/server.ts'
import { converse } from '../../test/support/engine.ts'
import type { Case } from '../case.ts'
import { engineAt } from '../engine-at.ts'
import type { Sample, Trial } from '../measure.ts'
import { timedAsync } from '../timed.ts'
import { agentFor, cpuMs, reply } from './turn.ts'

type Address = { readonly url: string; readonly token: string }
type Place = Address & { readonly base: string; readonly baseUrl: string }

/** A turn of the model's answers takes about ten seconds. */
const PACE_MS = 10
const PAIRS = 30
const PROMPT = 'Rename the value everywhere and run the tests.'

/** Turns in two homes by turns, one of which is exported. */
export async function exported({ base, baseUrl, url, token }: Place): Promise<Sample> {
  const control = { url, token, mode: 'export' as const }
  const kept = await begin(join(base, 'kept'), baseUrl, {})
  const sent = await begin(join(base, 'sent'), baseUrl, { control })
  const shares: number[] = []
  let turnMs = 0
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const without = await cpuMs(() => converse(kept.engine, kept.id, { prompt: PROMPT }))
    const along = await cpuMs(async () => {
      const { ms } = await timedAsync(() => converse(sent.engine, sent.id, { prompt: PROMPT }))
      turnMs = ms
      await (await sent.engine.remote?.())?.push(sent.id)
    })
    shares.push(((along - without) / turnMs) * 100)
  }
  for (const { engine } of [kept, sent]) await engine.stop()
  return { ms: turnMs, addedPercent: shares.toSorted((a, b) => a - b)[PAIRS >> 1] ?? Number.NaN }
}

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
    const clear = () => rmSync(base, { recursive: true, force: true })
    const trial = (probe: string, args: object, before?: () => void): Trial => ({
      module: 'cases/remote',
      probe,
      args: { ...address, ...args },
      ...(before && { before }),
    })
    await using model = await startModelServer((asked) => ({ ...reply(asked), paceMs: PACE_MS }))
    const { turn } = await measure(1, {
      turn: trial('exported', { base, baseUrl: model.baseUrl }, clear),
    })
    await addSessions(node, LISTED)
    const { looked } = await measure(7, { looked: trial('look', { home: join(scratch, 'look') }) })
    const home = join(scratch, 'sync')
    cpSync(homes.s10k, home, { recursive: true, preserveTimestamps: true })
    const { sync } = await measure(1, { sync: trial('syncAll', { home }) })
    return [
      {
        name: 'processor time that export adds to a turn of 10 s',
        unit: '%',
        target: { atMost: 2 },
        measured: turn('addedPercent'),
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

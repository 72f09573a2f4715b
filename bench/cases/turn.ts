/**
 * What Reprise costs a turn, through the engine as people have it: log, lease, record of changed files, search index.
 * Within one run the agent's own time (its calls of the model and its tools) is told from the time in which it waits
 * for the engine; the second is the price. Beside it the same agent with nothing around it, its events dropped.
 *
 * A turn is 11 calls of the model with 1,000 deltas in all, and 10 tools: views, new files and shell commands. The
 * model says 200 deltas a second, more than hosted ones do. A second pair of runs has it answer at once: then the
 * syncs alone, one for each of about 45 events, are more than 5 % of what is left of the agent's time.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { modelAgent } from '../../src/agents/model/model.ts'
import { createEngine } from '../../src/engine/engine.ts'
import type { Agent, Turn } from '../../src/engine/agent.ts'
import type { EngineContext } from '../../src/engine/engine-context.ts'
import { createFeed } from '../../src/engine/live/feed.ts'
import type { LiveSession } from '../../src/engine/live/live-session.ts'
import { withStreamFile } from '../../src/engine/turn/stream-file.ts'
import type { EventId, SessionId } from '../../src/format/ids.ts'
import type { Notice } from '../../src/format/notice.ts'
import { sessionDir } from '../../src/format/paths.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { acquireLease } from '../../src/log/lease.ts'
import { withStore } from '../../src/wiring/follow-store.ts'
import { openHomeServices } from '../../src/wiring/home-services.ts'
import { createFolder } from '../../src/state/fold.ts'
import { createPieces } from '../../src/state/unfinished.ts'
import { startModelServer } from '../../test/model-server/server.ts'
import type { Asked, Call, Reply } from '../../test/model-server/reply.ts'
import type { Case } from '../case.ts'
import type { Sample, Trial } from '../measure.ts'
import { timedAsync } from '../timed.ts'
import { converse } from '../../test/support/engine.ts'

type Place = { readonly home: string; readonly root: string; readonly baseUrl: string }

const STEPS = 10
const DELTAS = 1000
const EACH = Math.ceil(DELTAS / (STEPS + 1))
const PACE_MS = 5
const STREAM_PACE_MS = 5
const PAIRS = 4
const PROMPT = 'Rename the value everywhere and run the tests.'

export const agentFor = (baseUrl: string) =>
  modelAgent({ provider: 'openai-compatible', baseUrl, model: 'bench', apiKey: () => 'none' })

export async function recorded({ home, root, baseUrl }: Place): Promise<Sample> {
  const fs = openDisk(home)
  const { agent, ownMs } = withStopwatch(agentFor(baseUrl))
  const engine = withStore(
    createEngine({
      cwd: process.cwd(),
      fs,
      agent,
      policy: () => ({ kind: 'allow', by: 'policy' }),
      trackFiles: true,
    }),
    openHomeServices({ home }),
  )
  const { id } = await engine.create({ cwd: root })
  // A first turn, as in a session that somebody works in: the libraries are loaded, the project has been read.
  await converse(engine, id, { prompt: PROMPT })
  const { ms, result } = await timedAsync(() => converse(engine, id, { prompt: PROMPT }))
  await engine.stop()
  if (result.status !== 'completed') throw new Error(`The turn ${result.status}: ${result.error}`)
  return { ms, addedPercent: (ms / ownMs() - 1) * 100 }
}

/**
 * The processor time of turns whose pieces are told and kept, and, in the same process, that of keeping the same pieces
 * by itself: the same notices at the same pace, with the file that keeps them and without.
 */
export async function streamed({ home, root, baseUrl }: Place): Promise<Sample> {
  const fs = openDisk(home)
  const model = agentFor(baseUrl)
  const notices: Notice[] = []
  async function* run(turn: Turn, signal: AbortSignal) {
    notices.length = 0
    for await (const item of model.run(turn, signal)) {
      if ('notice' in item) notices.push(item.notice)
      yield item
    }
  }
  const engine = createEngine({
    cwd: process.cwd(),
    fs,
    agent: { ...model, run },
    policy: () => ({ kind: 'allow', by: 'policy' }),
    trackFiles: true,
  })
  const { id } = await engine.create({ cwd: root })
  const turn = async () => {
    const { status, error } = await converse(engine, id, { prompt: PROMPT })
    if (status !== 'completed') throw new Error(`The turn ${status}: ${error}`)
  }
  const dir = sessionDir(crypto.randomUUID() as SessionId)
  const lease = await acquireLease(fs, dir, { label: 'bench', waitMs: 0, onRequest: () => {} })
  const feed = createFeed()
  const session = {
    dir,
    feed,
    work: { pieces: createPieces() },
    written: {},
    writing: { writer: { lease } },
    folded: { folder: createFolder() },
  } as unknown as LiveSession
  const context = { fs } as unknown as EngineContext
  const tellAll = async () => {
    for (const notice of notices) {
      feed.tell(notice)
      await setTimeout(STREAM_PACE_MS)
    }
  }
  const sums = { turn: 0, kept: 0, told: 0 }
  await turn()
  for (let pair = 0; pair < PAIRS; pair++) {
    sums.turn += await cpuMs(turn)
    sums.told += await cpuMs(tellAll)
    sums.kept += await cpuMs(() => withStreamFile(context, session, 'turn', tellAll))
  }
  await lease.release()
  await engine.stop()
  return { keepingPercent: (100 * (sums.kept - sums.told)) / sums.turn }
}

export async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The time of the last turn in which the agent did not wait for what it yielded to be taken. */
function withStopwatch(agent: Agent): { readonly agent: Agent; ownMs(): number } {
  let own = 0
  async function* run(turn: Turn, signal: AbortSignal) {
    own = 0
    let from = performance.now()
    for await (const item of agent.run(turn, signal)) {
      own += performance.now() - from
      yield item
      from = performance.now()
    }
    own += performance.now() - from
  }
  return { agent: { ...agent, run }, ownMs: () => own }
}

export async function alone({ root, baseUrl }: Place): Promise<Sample> {
  const agent = agentFor(baseUrl)
  const run = async () => {
    let tools = 0
    for await (const item of agent.run(bareTurn(root), new AbortController().signal))
      if ('draft' in item && item.draft.type === 'tool.execution_complete')
        tools += Number(item.draft.data.success)
    if (tools !== STEPS) throw new Error(`${tools} tools succeeded.`)
  }
  await run()
  const { ms } = await timedAsync(run)
  await agent.close?.()
  return { ms }
}

const bareTurn = (cwd: string): Turn => ({
  sessionId: crypto.randomUUID() as SessionId,
  turnId: 'turn',
  message: { content: PROMPT },
  messageEventId: 'event' as EventId,
  context: {
    system: undefined,
    messages: [{ role: 'user', content: PROMPT, eventId: 'event' as EventId }],
  },
  state: createFolder().state(),
  cwd,
  workspacePath: cwd,
  permit: async () => ({ kind: 'allow', by: 'policy' }),
  ask: async () => undefined,
  steering: () => [],
  readBlob: async () => undefined,
  hook: async () => ({ notes: [] }),
})

export const turnCase: Case = {
  name: 'turn',
  async figures({ scratch, measure }) {
    const base = join(scratch, 'turn')
    const prepare = () => {
      rmSync(base, { recursive: true, force: true })
      for (let index = 0; index < 1000; index++) {
        const folder = join(base, 'project', `part-${index % 50}`)
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, `file-${index}.ts`), `export const value = ${index}\n`)
      }
    }
    const pair = async (runs: number, script: (asked: Asked) => Reply) => {
      await using server = await startModelServer(script)
      const args = {
        home: join(base, 'home'),
        root: join(base, 'project'),
        baseUrl: server.baseUrl,
      }
      const trial = (probe: string): Trial => ({
        module: 'cases/turn',
        probe,
        args,
        before: prepare,
      })
      return await measure(runs, { ours: trial('recorded'), bare: trial('alone') })
    }
    const keeping = async () => {
      await using server = await startModelServer((asked) => ({
        ...reply(asked),
        paceMs: STREAM_PACE_MS,
      }))
      const args = {
        home: join(base, 'home'),
        root: join(base, 'project'),
        baseUrl: server.baseUrl,
      }
      const trial = { module: 'cases/turn', probe: 'streamed', args, before: prepare }
      return await measure(3, { ours: trial })
    }
    const paced = await pair(3, (asked) => ({ ...reply(asked), paceMs: PACE_MS }))
    const atOnce = await pair(7, reply)
    const streams = await keeping()
    return [
      {
        name: 'a turn of 1,000 deltas and 10 tools',
        unit: 'ms',
        target: 'none',
        measured: paced.ours('ms'),
        limit: { name: 'the agent alone', measured: paced.bare('ms') },
      },
      {
        name: 'what recording adds to it',
        unit: '%',
        target: { atMost: 5 },
        measured: paced.ours('addedPercent'),
      },
      {
        name: 'the same with a model that answers at once',
        unit: 'ms',
        target: 'none',
        measured: atOnce.ours('ms'),
        limit: { name: 'the agent alone', measured: atOnce.bare('ms') },
      },
      {
        name: 'what recording adds to that',
        unit: '%',
        target: 'none',
        measured: atOnce.ours('addedPercent'),
      },
      {
        name: 'processor time of a turn that goes into keeping what streams',
        unit: '%',
        target: { atMost: 5 },
        measured: streams.ours('keepingPercent'),
      },
    ]
  },
}

/** A turn begins with the request that has no answer after its last user's message. */
export function reply({ body }: Asked): Reply {
  const messages = body['messages'] as readonly { readonly role: string }[]
  const step = messages.length - 1 - messages.findLastIndex(({ role }) => role === 'user')
  const index = Math.floor(step / 2)
  const text = Array.from({ length: EACH }, (_, at) => `word-${at} `)
  return index < STEPS ? { text, calls: [callAt(index)] } : { text }
}

function callAt(index: number): Call {
  const path = `part-${index}/file-${index}.ts`
  if (index % 3 === 0)
    return { name: 'bash', arguments: { command: 'grep -r "value = 7" . | wc -l' } }
  if (index % 3 === 1) return { name: 'view', arguments: { path } }
  return { name: 'create', arguments: { path: `new-${index}.ts`, file_text: `${index}\n` } }
}

/** A session in memory and the deeds that may befall it, in any order and by several engines. */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { EngineError } from '../../src/engine/errors.ts'
import type { EventId, SessionId } from '../../src/format/ids.ts'
import { openMemory } from '../../src/fs/memory.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { readLog } from '../../src/log/read.ts'
import type { LogRecord } from '../../src/log/record.ts'
import { createFolder } from '../../src/state/fold.ts'
import type { SessionState } from '../../src/state/session-state.ts'
import {
  converse,
  callTool,
  endTool,
  say,
  scripted,
  startTool,
  type Script,
} from '../support/engine.ts'

/** What happens to a session, by whoever has it open. */
export type Deed =
  | { readonly do: 'send'; readonly prompt: string }
  | { readonly do: 'undo'; readonly turns: number }
  | { readonly do: 'rewind'; readonly to: number }
  | { readonly do: 'fork'; readonly to: number }
  | { readonly do: 'redo' | 'compact' | 'close' | 'reopen' | 'elsewhere' | 'forget' }

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom(
    '\ud800',
    'a\udc00b',
    '\u2028\u2029',
    'x\u0000y',
    '\ufeffmark',
    '"\\\n\r\n',
    '\u{1f469}\u200d\u{1f4bb}',
  ),
)
export const prompt = text.filter((value) => value.trim() !== '')
/** Evenly, unlike a double: those are mostly next to nothing. */
export const share = fc.nat(999).map((part) => part / 1000)

export const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), prompt }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('undo' as const),
      turns: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('rewind' as const, 'fork' as const), to: share }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'redo' as const,
        'compact' as const,
        'close' as const,
        'reopen' as const,
        'elsewhere' as const,
        'forget' as const,
      ),
    }),
  },
)

/** An answer with a tool in it, so that a cut may fall anywhere in a turn. */
const answers: Script = async function* ({ message }) {
  const call = crypto.randomUUID()
  yield callTool(call)
  yield startTool(call)
  yield endTool(call)
  yield say(`you said ${message.content}`)
}

export type World = {
  readonly fs: SessionFs
  readonly id: SessionId
  readonly engines: Engine[]
  engine: Engine
}

export const startEngine = (fs: SessionFs): Engine =>
  createEngine({ cwd: process.cwd(), fs, agent: scripted(answers) })

export async function inWorld(action: (world: World) => Promise<void>): Promise<void> {
  const fs = openMemory()
  const engine = startEngine(fs)
  const { id } = await engine.create()
  const world: World = { fs, id, engine, engines: [engine] }
  try {
    await converse(engine, id, { prompt: 'the beginning' })
    await action(world)
  } finally {
    for (const each of world.engines) await each.stop()
  }
}

async function perform(world: World, deed: Deed): Promise<void> {
  const { engine, fs, id } = world
  if (deed.do === 'send') await converse(engine, id, { prompt: deed.prompt })
  if (deed.do === 'undo') await (await engine.open(id)).undo({ turns: deed.turns })
  if (deed.do === 'rewind') await (await engine.open(id)).rewind(await eventAt(world, deed.to))
  if (deed.do === 'redo') await (await engine.open(id)).redo()
  if (deed.do === 'compact') await (await engine.open(id)).compact()
  if (deed.do === 'fork') await requireFork(world, await eventAt(world, deed.to))
  if (deed.do === 'close') await (await engine.open(id)).close()
  if (deed.do === 'reopen') {
    await engine.stop()
    world.engine = startEngine(fs)
    world.engines.push(world.engine)
  }
  if (deed.do === 'elsewhere') {
    // The one before goes on as an observer, and may be asked again.
    world.engine = world.engines.length < 3 ? startEngine(fs) : world.engines[0]!
    if (!world.engines.includes(world.engine)) world.engines.push(world.engine)
  }
  if (deed.do === 'forget') await fs.remove(`session-state/${id}/.reprise/snapshot.json`)
}

export async function eventAt({ engine, id }: World, share: number): Promise<EventId> {
  const { events } = await (await engine.open(id)).events()
  return events[Math.min(events.length - 1, Math.floor(share * events.length))]!.id
}

/** Refused with a reason: nothing to undo or redo, or the first event. */
export async function performOrRefuse(world: World, deed: Deed): Promise<void> {
  const before = await bytesOf(world)
  try {
    await perform(world, deed)
  } catch (error) {
    if (!(error instanceof EngineError) || !['invalid', 'conflict'].includes(error.code))
      throw error
    assert.ok((await bytesOf(world)).equals(before), 'a refused command changed the log')
  }
}

export const bytesOf = async ({ fs, id }: World): Promise<Buffer> =>
  Buffer.from((await fs.read(`session-state/${id}/events.jsonl`)) ?? [])

export async function recordsOf(fs: SessionFs, id: SessionId): Promise<LogRecord[]> {
  const all: LogRecord[] = []
  for await (const { records, findings } of readLog(fs, `session-state/${id}/events.jsonl`)) {
    assert.deepEqual(findings, [])
    all.push(...records)
  }
  return all
}

export function fold(records: readonly LogRecord[]): SessionState {
  const folder = createFolder()
  for (const record of records) folder.push(record)
  return folder.state()
}

/** Event ids are kept; the id of the session and the time of its start are the fork's own. */
async function requireFork(world: World, before: EventId): Promise<void> {
  const { engine, fs, id } = world
  const kept = await recordsOf(fs, id)
  const end = kept.findIndex(({ event }) => event.id === before)
  const { sessionId } = await (await engine.open(id)).fork({ before })
  const forked = await recordsOf(fs, sessionId)
  assert.equal(forked.at(-1)?.event.type, 'session.info')
  assert.equal(fold(forked).sessionId, sessionId)
  const like = (state: SessionState): unknown => ({
    ...(JSON.parse(JSON.stringify(state).replaceAll(sessionId, id)) as SessionState),
    startTime: '',
  })
  // What the fork has from its source was spent there, and is counted apart.
  const { usage: copied, copied: usage, ...rest } = fold(forked.slice(0, -1))
  assert.deepEqual(like({ ...rest, usage, copied }), like(fold(kept.slice(0, end))))
  await (await engine.open(sessionId)).close()
}

/**
 * One mixed history after the other in a home with everything that follows sessions: something is said and done in two
 * sessions, one of which is then forgotten in one of several ways. Its word must be found before and nowhere after; the
 * word of the other stays, with every content that both have.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { promptHistory } from '../../src/engine/sessions/prompt-history.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { sessionDir } from '../../src/format/paths.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { createStore } from '../../src/store/store.ts'
import { openBoard } from '../../src/store/board.ts'
import { writeSessionSql } from '../../src/store/query/session-sql.ts'
import { withStore } from '../../src/wiring/follow-store.ts'
import {
  callTool,
  converse,
  endTool,
  say,
  scripted,
  startTool,
  type Script,
} from '../support/engine.ts'
import { lookThrough } from './look-through.ts'

export type Random = () => number

/** What undo took back is kept for so long. */
const KEPT_DAYS = 7

/** `long <word>`, `write <file> <word>`, or an answer that says it again. */
const worker: Script = async function* ({ message: { content }, cwd: project }) {
  const [verb, name = '', word = ''] = content.split(' ')
  if (verb !== 'long' && verb !== 'write') return yield say(`You said "${content}".`)
  const toolCallId = crypto.randomUUID()
  yield callTool(toolCallId)
  yield startTool(toolCallId, 'bash', { command: content, nested: JSON.stringify({ content }) })
  if (verb === 'write') writeFileSync(join(project, name), `${word}\n`.repeat(20))
  const output = verb === 'long' ? `${name} again and again\n`.repeat(5000) : `wrote ${word}`
  yield endTool(toolCallId, output)
  yield say(`Done with ${word || name}.`)
}

/** A home in which many histories happen. */
export function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-forget-'))
  const [home, project, elsewhere, cache] = ['home', 'project', 'elsewhere', 'cache'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  for (const each of [project, elsewhere, cache]) mkdirSync(each)
  for (const each of [project, elsewhere]) execFileSync('git', ['init', '-q', each])
  const fs = openDisk(home)
  let now = Date.now()
  const store = createStore(fs, { cacheFolder: cache })
  const board = openBoard(fs, { cacheFolder: cache })
  const engine = withStore(
    createEngine({
      fs,
      cwd: project,
      agent: scripted(worker),
      trackFiles: true,
      keepRewoundDays: KEPT_DAYS,
      clock: () => new Date(now),
    }),
    { store: async () => store, board: async () => board },
  )
  return {
    folder,
    home,
    project,
    elsewhere,
    cache,
    fs,
    store,
    board,
    engine,
    later: (days: number) => (now += days * 86_400_000),
    async [Symbol.asyncDispose]() {
      await engine.stop()
      board.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}
export type Place = ReturnType<typeof openPlace>

/** What is done in a session with its word in it. */
const deeds: readonly ((place: Place, id: SessionId, word: string) => Promise<unknown>)[] = [
  ({ engine }, id, word) =>
    converse(engine, id, { prompt: `I always want ${word} "quoted"\n\tin tests` }),
  ({ engine }, id, word) => converse(engine, id, { prompt: `long ${word}` }),
  ({ engine }, id, word) => converse(engine, id, { prompt: `write a.txt ${word}` }),
  ({ engine }, id, word) => converse(engine, id, { prompt: `write b.txt ${word}` }),
  async ({ engine }, id, word) => (await engine.open(id)).rename(`About ${word}`),
  async ({ engine }, id, word) => (await engine.open(id)).writePlan(`1. ${word}`),
  async ({ engine }, id, word) =>
    (await engine.open(id)).writeFile('files/note.md', Buffer.from(`${word} in UTF-16`, 'utf16le')),
  async ({ engine }, id, word) =>
    (await engine.open(id)).writeFile(
      'research/r.md',
      Buffer.from(Buffer.from(`a${word}`).toString('base64')),
    ),
  async ({ engine }, id) => (await engine.open(id)).compact(),
  async ({ engine }, id) => undoIfAny(engine, id),
  async ({ engine }, id) => {
    if (await undoIfAny(engine, id)) await (await engine.open(id)).redo()
  },
  ({ fs }, id, word) =>
    writeSessionSql(fs, sessionDir(id), {
      sql: `CREATE TABLE IF NOT EXISTS notes AS SELECT '${word}' AS text`,
    }),
  ({ board, project }, id, word) =>
    board.add({
      repository: project,
      src: 'agent',
      name: word,
      content: `Know ${word}.`,
      sessions: [id],
    }),
  ({ board, project }, id, word) =>
    board.propose(id, [
      { repository: project, src: 'person', name: word, content: `Never ${word}.` },
    ]),
  async ({ engine }, id, word) => {
    const typed = `What about ${word} "quoted"\n\tin tests?`
    await promptHistory(engine).add(typed)
    await converse(engine, id, { prompt: typed })
  },
  ({ engine }) => engine.list(),
  ({ store }) => store.reindex(),
  // As a kill leaves them.
  async ({ home }, id, word) =>
    writeFileSync(
      join(home, sessionDir(id), '.reprise', '.reprise-tmp-999999-0123456789abcdef'),
      word,
    ),
  async ({ home }, _, word) =>
    writeFileSync(join(home, '.reprise', '.reprise-tmp-999999-0123456789abcdef'), word),
  async ({ home }) => {
    const file = join(home, 'session-store.db')
    if (existsSync(file)) copyFileSync(file, `${file}.broken`)
  },
  async ({ home, engine }, id, word) => {
    await (await engine.open(id)).close()
    appendFileSync(
      join(home, sessionDir(id), 'events.jsonl'),
      `{"type":"user.message","data":{"content":"${word}`,
    )
  },
]

async function undoIfAny(engine: Engine, id: SessionId): Promise<boolean> {
  const session = await engine.open(id)
  if ((await session.rewindPoints()).length < 2) return false
  await session.undo()
  return true
}

/** A file, a change of it and a long answer, all taken back. */
async function takeBack(engine: Engine, id: SessionId, word: string): Promise<void> {
  const session = await engine.open(id)
  const prompts = [`write a.txt ${word}`, `write a.txt other${word}`, `long ${word}`]
  for (const prompt of prompts) await converse(engine, id, { prompt })
  for (const _ of prompts) await session.undo({ mode: 'conversation-and-files' })
}

/** Each forgets the first session's word, by its session or by itself. */
export const ways = {
  async 'delete --now'({ engine }: Place, ids: readonly SessionId[]) {
    await engine.remove(ids, { now: true })
  },
  async 'undo and discard'({ engine }: Place, ids: readonly SessionId[], word: string) {
    // A part of a session is one that its files, name and first prompt know nothing of.
    const [id] = ids
    assert(id !== undefined)
    await engine.forget({ text: word }, { dryRun: false })
    await takeBack(engine, id, word)
    await engine.discard(id)
  },
  async 'undo and retention'({ engine, later }: Place, ids: readonly SessionId[], word: string) {
    const [id] = ids
    assert(id !== undefined)
    await engine.forget({ text: word }, { dryRun: false })
    await takeBack(engine, id, word)
    later(KEPT_DAYS + 1)
    await converse(engine, id, { prompt: 'on' })
    await (await engine.open(id)).close()
  },
  async 'the end of the trash'({ engine, later }: Place, ids: readonly SessionId[]) {
    await engine.remove(ids)
    later(31)
    await engine.prune({ olderThanDays: 10_000, keepNamed: true, dryRun: false })
  },
  async forget({ engine }: Place, _: readonly SessionId[], word: string) {
    const done = await engine.forget({ text: word }, { dryRun: false })
    assert.deepEqual(done.kept, [])
  },
  async 'forget by a pattern'({ engine }: Place, _: readonly SessionId[], word: string) {
    const pattern = `${word.slice(0, 8)}[a-z0-9]{8}`
    const done = await engine.forget({ text: pattern, isPattern: true }, { dryRun: false })
    assert.deepEqual(done.kept, [])
  },
} as const
export type Way = keyof typeof ways

export async function tryHistory(place: Place, random: Random): Promise<Way> {
  const { engine, home, cache, store, project, elsewhere } = place
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const [gone, stays] = [wordFrom(random), wordFrom(random)]
  // Of another project: what a session has copied of a shared one is its own.
  const first = await engine.create({ cwd: project })
  const other = await engine.create({ cwd: elsewhere })
  const ids = [first.id]
  await converse(engine, first.id, { prompt: `Hello ${gone}` })
  await converse(engine, other.id, { prompt: `Hello ${stays}` })
  const did: string[] = []
  for (let count = 2 + Math.floor(random() * 5); count > 0; count -= 1) {
    const deed = pick(deeds)
    did.push(String(deeds.indexOf(deed)))
    await deed(place, first.id, gone)
    if (random() < 0.3) await pick(deeds.slice(0, 4))(place, other.id, stays)
  }
  const way = pick(Object.keys(ways) as Way[])
  if (random() < 0.3) ids.push((await (await engine.open(first.id)).fork()).sessionId)
  // So that the project itself is not where it is found, nor copied from again.
  for (const name of ['a.txt', 'b.txt']) rmSync(join(project, name), { force: true })
  await store.follower.settled()
  const before = lookThrough([home, cache], gone)
  assert.ok(
    before.some((each) => each.includes('events.jsonl')) &&
      before.some((each) => each.includes('session-store.db')),
    before.join('\n'),
  )
  await ways[way](place, ids, gone)
  assert.deepEqual(lookThrough([home, cache], gone), [], `${way} after ${did.join(' ')}`)
  assert.notDeepEqual(lookThrough([home], stays), [])
  if (!isDeletion(way)) await isWhole(engine, ids)
  await isWhole(engine, [other.id])
  await engine.remove([other.id, ...(isDeletion(way) ? [] : ids)], { now: true })
  return way
}

const isDeletion = (way: Way): boolean => way === 'delete --now' || way === 'the end of the trash'

/** Nothing of a session was damaged, and every blob that it names is there. */
async function isWhole(engine: Engine, ids: readonly SessionId[]): Promise<void> {
  for (const id of ids) {
    const { ailments, log } = await engine.doctor(id)
    const ill = ailments.filter(({ message }) => !/never finished|torn|ended/.test(message))
    assert.deepEqual(
      ill.filter(({ severity }) => severity === 'damage'),
      [],
      JSON.stringify(log.findings),
    )
    const session = await engine.open(id)
    const { events } = await session.events()
    for (const [, hash = ''] of JSON.stringify(events).matchAll(/"sha256":"([0-9a-f]{64})"/g))
      assert.ok(await session.readBlob(hash, { mostBytes: 1e9 }), `a blob of ${id}`)
    await session.close()
  }
}

const wordFrom = (random: Random): string =>
  Array.from({ length: 16 }, () => 'bcdfghjkmnpqrstvwxz0123456789'[Math.floor(random() * 29)]).join(
    '',
  )

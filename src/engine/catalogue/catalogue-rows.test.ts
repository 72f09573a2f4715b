import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { SessionId } from '../../format/ids.ts'
import { openDisk } from '../../fs/disk.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { byRelevance } from '../../state/relevance.ts'
import { resolveSession } from '../../state/resolve.ts'
import {
  latestSessionId,
  listSessions,
  nearestSessions,
  sessionSummaries,
  sessionsWithPrefix,
} from './catalogue.ts'
import { BELIEVED_MS } from './catalogue-staleness.ts'
import { dropFromCatalogue } from './catalogue-drop.ts'
import { CATALOGUE } from './catalogue-file.ts'
import { resolve } from '../sessions/resolve.ts'
import { touch } from './dirty-markers.ts'

const base = mkdtempSync(join(tmpdir(), 'reprise-catalogue-rows-'))
after(() => rmSync(base, { recursive: true, force: true }))
let root: string
let fs: SessionFs
let count = 0
beforeEach(() => {
  root = join(base, String(++count))
  fs = openDisk(root)
  mkdirSync(join(root, 'session-state'), { recursive: true })
})

const idOf = (n: number) =>
  `${(n * 2_654_435_761).toString(16).slice(-8).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}` as SessionId
const folderOf = (n: number) => join(root, 'session-state', idOf(n))
const minute = (at: number) => new Date(Date.UTC(2026, 0, 1, 0, at, 0, 5))
const PROJECTS = ['a', 'b', 'c'].map((name) => ({
  cwd: `/w/${name}`,
  gitRoot: `/w/${name}`,
  repository: `octo/${name}`,
}))

/** A session that was last written in this minute. Several share one, and one project in three has no branch. */
function put(n: number, { at = Math.floor(n / 3), prompt = `prompt ${n}` } = {}): void {
  mkdirSync(folderOf(n), { recursive: true })
  const context = { ...PROJECTS[n % 3], ...(n % 3 > 0 && { branch: n % 2 === 0 ? 'main' : 'dev' }) }
  const start = { sessionId: idOf(n), version: 1, producer: 'x', copilotVersion: '1' }
  const lines = [
    { type: 'session.start', data: { ...start, startTime: minute(at).toISOString(), context } },
    { type: 'user.message', data: { content: prompt } },
  ].map((event, index) =>
    JSON.stringify({ ...event, id: `e${index}`, timestamp: 't', parentId: index ? 'e0' : null }),
  )
  writeFileSync(join(folderOf(n), 'events.jsonl'), `${lines.join('\n')}\n`)
  for (const path of [join(folderOf(n), 'events.jsonl'), folderOf(n)])
    utimesSync(path, minute(at), minute(at))
}

function settleHome(at = 0): void {
  utimesSync(join(root, 'session-state'), minute(at), minute(at))
}

const MANY = 700
const putMany = () => {
  for (let n = 0; n < MANY; n++) put(n)
  settleHome()
}

/** The same home to whoever has no catalogue and keeps none. */
const anew = (): SessionFs => ({
  ...fs,
  read: (path) => (path === CATALOGUE ? Promise.resolve(undefined) : fs.read(path)),
  writeAtomic: async () => {},
  openAppend: () => Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS' })),
})

const rowFiles = () => readdirSync(join(root, '.reprise/catalogue'))

/** How many pages of rows are read. */
function counted(): { fs: SessionFs; pages: () => number } {
  let pages = 0
  const openRead: SessionFs['openRead'] = async (path) => {
    const file = await fs.openRead(path)
    if (file === undefined || !path.endsWith('.rows')) return file
    const read = async (target: Uint8Array, position: number) => {
      const length = await file.read(target, position)
      if (target[0] === '{'.charCodeAt(0)) pages++
      return length
    }
    return { size: file.size, identity: file.identity, read, close: () => file.close() }
  }
  return { fs: { ...fs, openRead }, pages: () => pages }
}

test('whatever changes, the catalogue tells what a look at every session tells', async () => {
  putMany()
  let seed = 7
  const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await listSessions(fs), await listSessions(anew()))
    for (let step = 0; step < 240; step++) {
      const n = below(MANY + 200)
      if (below(4) === 0) rmSync(folderOf(n), { recursive: true, force: true })
      else {
        put(n, { at: 400 * round + below(400), prompt: `round ${round} of ${n}` })
        await touch(fs, idOf(n))
      }
    }
  }
  const all = await listSessions(anew())
  assert.deepEqual(await listSessions(fs), all)
  assert.equal(await latestSessionId(fs), all[0]?.id)
  assert.ok(rowFiles().length <= 2)
})

test('the nearest are those that the whole list would give', async () => {
  putMany()
  const all = await listSessions(fs)
  put(9000, { at: 100 })
  const changed = await listSessions(fs)
  assert.equal(changed.length, all.length + 1)
  for (const here of [...PROJECTS, { ...PROJECTS[1], branch: 'dev' }, { cwd: '/w/a/' }, {}]) {
    const expected = byRelevance(changed, here).map(({ id }) => id)
    for (const limit of [0, 1, 7, 300, Infinity]) {
      const { sessions, total, near } = await nearestSessions(fs, here, { limit })
      assert.deepEqual(
        sessions.map(({ id }) => id),
        expected.slice(0, limit),
      )
      assert.equal(total, changed.length)
      const uncounted = await nearestSessions(fs, here, { limit, uncounted: true })
      assert.deepEqual(uncounted.sessions, sessions)
      const only = await nearestSessions(fs, here, { limit, onlyNear: true })
      assert.deepEqual([only.total, only.near], [near, near])
      assert.deepEqual(
        only.sessions.map(({ id }) => id),
        expected.slice(0, Math.min(limit, near)),
      )
    }
  }
})

test('words are looked for in all sessions, and as many are given as are wanted', async () => {
  putMany()
  const found = await nearestSessions(fs, PROJECTS[0] ?? {}, {
    limit: 3,
    words: ['prompt 6', '/w/'],
  })
  const fitting = (await listSessions(fs)).filter(({ summary }) => summary.startsWith('prompt 6'))
  assert.equal(found.total, fitting.length)
  assert.deepEqual(
    found.sessions.map(({ id }) => id),
    byRelevance(fitting, PROJECTS[0] ?? {})
      .map(({ id }) => id)
      .slice(0, 3),
  )
})

test('a value means what it means in the whole list', async () => {
  putMany()
  put(9000, { at: 90, prompt: 'prompt 5' })
  const all = await listSessions(fs)
  const values = [
    idOf(3),
    idOf(3).toUpperCase(),
    idOf(3).slice(0, 8),
    idOf(3).slice(0, 4),
    'prompt 5',
    ' PROMPT 9 ',
    'promt 9',
    '\n',
    'ffffffff-ffff-4fff-8fff-ffffffffffff',
  ]
  for (const value of values)
    assert.deepEqual(await resolve(fs, value), resolveSession(value, all), value)
  const four = idOf(3).slice(0, 2)
  assert.deepEqual(
    await sessionsWithPrefix(fs, four),
    all.filter(({ id }) => id.startsWith(four)),
  )
  assert.deepEqual(
    await sessionSummaries(fs, [idOf(9000), idOf(3), 'none' as SessionId]),
    all.filter(({ id }) => id === idOf(3) || id === idOf(9000)),
  )
})

test('who asks for some sessions reads the pages that they are on', async () => {
  putMany()
  await listSessions(fs)
  const some = counted()
  await nearestSessions(some.fs, {}, { limit: 20 })
  const whole = counted()
  await listSessions(whole.fs)
  assert.deepEqual([some.pages(), whole.pages()], [1, 3])
})

for (const [what, damage] of Object.entries({
  'cut off': (bytes: Buffer) => bytes.subarray(0, bytes.length - 100),
  'without its beginning': (bytes: Buffer) => bytes.fill(0, 0, 500),
  empty: () => Buffer.alloc(0),
})) {
  test(`rows that are ${what} are made again`, async () => {
    putMany()
    const expected = await listSessions(fs)
    const [name = ''] = rowFiles()
    const path = join(root, '.reprise/catalogue', name)
    writeFileSync(path, damage(readFileSync(path)))
    assert.deepEqual(await listSessions(fs), expected)
    assert.ok(!rowFiles().includes(name))
    assert.deepEqual(await listSessions(fs), expected)
  })
}

test('a session that is dropped leaves no word in any file of the catalogue', async () => {
  putMany()
  put(5, { prompt: 'a secret word' })
  await listSessions(fs)
  put(5, { prompt: 'other', at: 300 })
  await touch(fs, idOf(5))
  await listSessions(fs)
  await dropFromCatalogue(fs, [idOf(5), idOf(6)])
  for (const name of rowFiles()) {
    const text = readFileSync(join(root, '.reprise/catalogue', name), 'latin1')
    assert.ok(!text.includes('secret') && !text.includes(idOf(6)), name)
  }
  assert.deepEqual(await listSessions(fs), await listSessions(anew()))
})

test('many at once find the same sessions while they change', async () => {
  putMany()
  await listSessions(fs)
  for (let n = MANY; n < MANY + 600; n++) put(n)
  const lists = await Promise.all(Array.from({ length: 8 }, () => listSessions(openDisk(root))))
  const expected = await listSessions(anew())
  for (const list of lists) assert.deepEqual(list, expected)
  assert.deepEqual(await listSessions(fs), expected)
})

test('in a large home the newest are looked at whenever others may have written, and all in turn', async () => {
  const LARGE = 10_600
  const first = idOf(0)
  for (let n = 0; n < LARGE; n++) put(n)
  settleHome()
  await listSessions(fs)
  const isSeen = async (n: number, words: string) =>
    (await sessionSummaries(fs, [idOf(n)]))[0]?.summary === words
  const age = () => {
    const look = JSON.parse(readFileSync(join(root, CATALOGUE), 'utf8')) as object
    const aged = { ...look, checkedMs: Date.now() - BELIEVED_MS }
    writeFileSync(join(root, CATALOGUE), JSON.stringify(aged))
  }

  put(LARGE - 1, { prompt: 'new' })
  put(0, { prompt: 'old', at: 1 })
  age()
  assert.ok(await isSeen(LARGE - 1, 'new'))
  let looks = 1
  for (; looks < 16 && !(await isSeen(0, 'old')); looks++) age()
  assert.ok(looks > 1 && looks < 16, `${looks} looks`)

  const logs = join(root, 'logs')
  mkdirSync(logs)
  writeFileSync(
    join(logs, `process-1-${process.pid}.log`),
    `2026-01-01T00:00:00.000Z [INFO] Workspace initialized: ${first} (checkpoints: 0)\n`,
  )
  put(0, { prompt: 'resumed elsewhere', at: 2 })
  assert.ok(await isSeen(0, 'resumed elsewhere'))
})

test('a row says who answers, as the beginning of the log does', async () => {
  const said = (agent: string) => ({
    type: 'session.info',
    data: { infoType: 'agent', message: agent, reprise: { agent } },
  })
  const logs: readonly (readonly [id: number, ...rest: object[]])[] = [
    [1],
    [2, said('claude')],
    [3, said('claude'), said('codex')],
  ]
  for (const [n, ...rest] of logs) {
    put(n)
    const path = join(folderOf(n), 'events.jsonl')
    const lines = rest.map((event, at) =>
      JSON.stringify({
        ...event,
        id: `f${at}`,
        timestamp: 't',
        parentId: at ? `f${at - 1}` : 'e1',
      }),
    )
    writeFileSync(path, `${readFileSync(path, 'utf8')}${lines.map((line) => `${line}\n`).join('')}`)
  }
  const agents = new Map((await listSessions(fs)).map(({ id, agent }) => [id, agent]))
  assert.deepEqual(
    [1, 2, 3].map((n) => agents.get(idOf(n))),
    [undefined, 'claude', 'codex'],
  )
})

import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { SessionId } from '../../format/ids.ts'
import { openDisk } from '../../fs/disk.ts'
import { FsError } from '../../fs/fs-error.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { writeMetadata } from '../../workspace/metadata.ts'
import { writeRepositoryKey } from '../../workspace/repository-key.ts'
import { latestSessionId, legacySessions, listSessions, unlistedSessions } from './catalogue.ts'
import { BELIEVED_MS } from './catalogue-staleness.ts'
import { CATALOGUE } from './catalogue-file.ts'
import { changeMetadata } from '../sessions/change-metadata.ts'
import { readOneSummary } from './read-summaries.ts'
import { announce, touch } from './dirty-markers.ts'

const base = mkdtempSync(join(tmpdir(), 'reprise-catalogue-'))
after(() => rmSync(base, { recursive: true, force: true }))
let root: string
let fs: SessionFs
let count = 0
beforeEach(() => {
  root = join(base, String(++count))
  fs = openDisk(root)
  mkdirSync(join(root, 'session-state'), { recursive: true })
})

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as SessionId
const folderOf = (n: number) => join(root, 'session-state', idOf(n))
const START = '2026-01-01T00:00:00.000Z'
const CONTEXT = {
  cwd: '/w',
  gitRoot: '/w',
  repository: 'Octo/Cat',
  hostType: 'github',
  branch: 'main',
}

/** A log of three lines, last written on this day of 2026, in a folder that was last changed then. */
function putSession(n: number, { day = n, prompt = `prompt ${n}`, log = '' } = {}): SessionId {
  mkdirSync(folderOf(n), { recursive: true })
  const line = (type: string, data: object, at: number) =>
    JSON.stringify({
      type,
      data,
      id: `e${at}`,
      timestamp: START,
      parentId: at === 0 ? null : `e${at - 1}`,
    })
  const start = {
    sessionId: idOf(n),
    version: 1,
    producer: 'x',
    copilotVersion: '1',
    startTime: START,
    context: CONTEXT,
  }
  const lines = [
    line('session.start', start, 0),
    line('user.message', { content: prompt }, 1),
    line('assistant.message', { messageId: 'm', content: 'done' }, 2),
  ]
  writeFileSync(join(folderOf(n), 'events.jsonl'), log || `${lines.join('\n')}\n`)
  settle(n, day)
  return idOf(n)
}

function settle(n: number, day: number): void {
  const time = new Date(Date.UTC(2026, 0, day, 0, 0, 0, 5))
  utimesSync(join(folderOf(n), 'events.jsonl'), time, time)
  utimesSync(folderOf(n), time, time)
}

/** The home, and the paths that were opened through it. */
function watched(): { fs: SessionFs; opened: string[] } {
  const opened: string[] = []
  const openRead = (path: string) => {
    opened.push(path.replace('session-state/', ''))
    return fs.openRead(path)
  }
  return { fs: { ...fs, openRead }, opened }
}

test('a session is told from workspace.yaml and the head of its log', async () => {
  const id = putSession(1, { prompt: 'Fix it\nand more' })
  await writeMetadata(fs, `session-state/${id}`, {
    id,
    cwd: '/elsewhere',
    git_root: '/elsewhere',
    repository: 'Octo/Cat',
    host_type: 'github',
    branch: 'topic',
    client_name: 'cli',
    name: 'My name',
    user_named: true,
    summary_count: 2,
    fork_count: 1,
    created_at: '2025-12-31T00:00:00.000Z',
  })
  assert.deepEqual(await listSessions(fs), [
    {
      id,
      name: 'My name',
      clientName: 'cli',
      userNamed: true,
      summary: 'Fix it and more',
      cwd: '/elsewhere',
      gitRoot: '/elsewhere',
      repository: 'Octo/Cat',
      repositoryKey: 'github:octo/cat',
      branch: 'topic',
      hostType: 'github',
      createdAt: '2025-12-31T00:00:00.000Z',
      turns: 1,
      checkpoints: 2,
      forkCount: 1,
      modifiedAt: '2026-01-01T00:00:00.005Z',
      bytes: (await fs.stat(`session-state/${id}/events.jsonl`))!.size,
    },
  ])
})

test('without workspace.yaml, or with a broken one, the log alone is enough', async () => {
  putSession(1, { prompt: 'same' })
  putSession(2, { prompt: 'same', day: 1 })
  writeFileSync(join(folderOf(2), 'workspace.yaml'), '][')
  settle(2, 1)
  const [one, two] = await listSessions(fs)
  assert.deepEqual({ ...two, id: one!.id }, one)
  assert.deepEqual(
    [one!.name, one!.repositoryKey, one!.createdAt],
    ['same', 'github:octo/cat', START],
  )
  assert.notEqual(await fs.stat(`session-state/${idOf(2)}/workspace.yaml`), undefined)
})

test('the newest comes first, and equals keep one order', async () => {
  putSession(1, { day: 2 })
  putSession(2, { day: 3 })
  putSession(4, { day: 1 })
  putSession(3, { day: 1 })
  const ids = (await listSessions(fs)).map(({ id }) => id)
  assert.deepEqual(ids, [2, 1, 3, 4].map(idOf))
  assert.equal(await latestSessionId(fs), idOf(2))
})

test('only what changed is read again', async () => {
  for (const n of [1, 2, 3]) putSession(n)
  const first = await listSessions(fs)
  const quiet = watched()
  assert.deepEqual(await listSessions(quiet.fs), first)
  assert.deepEqual(quiet.opened, [])

  putSession(2, { day: 2, prompt: 'another prompt' })
  await touch(fs, idOf(2))
  const changed = watched()
  const second = await listSessions(changed.fs)
  assert.deepEqual(changed.opened, [`${idOf(2)}/workspace.yaml`, `${idOf(2)}/events.jsonl`])
  assert.deepEqual(
    second.map(({ summary }) => summary),
    ['prompt 3', 'another prompt', 'prompt 1'],
  )
})

test('a rename by another process is seen, though the log did not change', async () => {
  const id = putSession(1)
  await listSessions(fs)
  await changeMetadata(fs, id, (file) => ({ ...file, name: 'renamed', user_named: true }))
  assert.equal((await listSessions(fs))[0]!.name, 'renamed')
})

/** A home of two sessions that was listed when everything in it had long settled. */
async function listed(): Promise<void> {
  for (const n of [1, 2]) putSession(n)
  const past = new Date(Date.UTC(2026, 0, 3, 0, 0, 0, 5))
  utimesSync(join(root, 'session-state'), past, past)
  await listSessions(fs)
}

/** What is looked at when the home is listed, and what the list and the latest then are. */
async function look(): Promise<{ stats: number; names: unknown[]; latest: unknown }> {
  let stats = 0
  const statMany = (paths: readonly string[]) => {
    stats += paths.filter((path) => path.endsWith('/events.jsonl')).length
    return fs.statMany(paths)
  }
  const names = (await listSessions({ ...fs, statMany })).map(({ summary }) => summary)
  return { stats, names, latest: await latestSessionId(fs) }
}

const UNSEEN = { stats: 0, names: ['prompt 2', 'prompt 1'], latest: idOf(2) }
const SEEN = { stats: 2, names: ['news', 'prompt 2'], latest: idOf(1) }

test('a home in which nobody wrote is listed without a look at its sessions', async () => {
  await listed()
  assert.deepEqual(await look(), UNSEEN)
})

test('a process that holds a session, or wrote to it, is enough to have it looked at (format §10.10)', async () => {
  await listed()
  const isOver = await announce(fs, idOf(1))
  putSession(1, { day: 9, prompt: 'news' })
  assert.deepEqual(await look(), { ...SEEN, stats: 1 })
  putSession(1, { day: 10, prompt: 'more' })
  await isOver()
  assert.deepEqual(await look(), { ...SEEN, stats: 1, names: ['more', 'prompt 2'] })
})

const STEPS: Record<string, (past: Date) => void> = {
  'a new process of another program': () => mkdirSync(join(root, 'logs')),
  'a living process of another program': (past) => {
    mkdirSync(join(root, 'logs'))
    writeFileSync(join(root, 'logs', `process-1-${process.pid}.log`), '')
    utimesSync(join(root, 'logs'), past, past)
  },
  'a catalogue that has aged': () => changeLook({ checkedMs: Date.now() - BELIEVED_MS }),
  'a catalogue from the future': () => changeLook({ sinceMs: Date.now() + 60_000 }),
  'a look from the future': () => changeLook({ checkedMs: Date.now() + 60_000 }),
  'a catalogue of another boot': () => changeLook({ where: 'another' }),
}
for (const [what, happens] of Object.entries(STEPS)) {
  test(`${what} is reason to look at every session`, async () => {
    await listed()
    happens(new Date(Date.UTC(2026, 0, 3)))
    putSession(1, { day: 9, prompt: 'news' })
    assert.deepEqual(await look(), SEEN)
  })

  test(`${what} is reason to ask every session which one is the latest`, async () => {
    await listed()
    happens(new Date(Date.UTC(2026, 0, 3)))
    putSession(1, { day: 9, prompt: 'news' })
    assert.equal(await latestSessionId(fs), idOf(1))
  })
}

test('the latest session is told by the marks of writers, and by new folders', async () => {
  await listed()
  assert.equal(await latestSessionId(fs), idOf(2))
  putSession(1, { day: 9 })
  await touch(fs, idOf(1))
  assert.equal(await latestSessionId(fs), idOf(1))
  putSession(3, { day: 10 })
  assert.equal(await latestSessionId(fs), idOf(3))
  rmSync(folderOf(3), { recursive: true })
  assert.equal(await latestSessionId(fs), idOf(1))
})

test('the store of another program tells of its turns, once it has run here', async () => {
  for (const n of [1, 2]) putSession(n)
  mkdirSync(join(root, 'logs'))
  const at = (day: number) => new Date(Date.UTC(2026, 0, day, 0, 0, 0, 5))
  const store = join(root, 'session-store.db-wal')
  writeFileSync(store, '')
  for (const path of [store, join(root, 'logs'), join(root, 'session-state')])
    utimesSync(path, at(3), at(3))
  await listSessions(fs)
  assert.deepEqual(await look(), UNSEEN)
  putSession(1, { day: 9, prompt: 'news' })
  utimesSync(store, at(9), at(9))
  assert.deepEqual(await look(), SEEN)
})

test('a session that comes or goes is seen by the folder of all', async () => {
  await listed()
  putSession(3, { prompt: 'came' })
  assert.deepEqual(await look(), {
    stats: 1,
    names: ['came', 'prompt 2', 'prompt 1'],
    latest: idOf(3),
  })
  rmSync(folderOf(3), { recursive: true })
  assert.deepEqual({ ...(await look()), stats: 0 }, UNSEEN)
})

function changeLook(change: object): void {
  const look = JSON.parse(readFileSync(join(root, CATALOGUE), 'utf8')) as object
  writeFileSync(join(root, CATALOGUE), JSON.stringify({ ...look, ...change }))
}

test('a session that may still change in the same tick of the clock is not believed from the catalogue', async () => {
  const id = putSession(1)
  await writeMetadata(fs, `session-state/${id}`, { id, name: 'one', user_named: true })
  const instant = new Date(Date.now() + 60_000)
  utimesSync(folderOf(1), instant, instant)
  assert.equal((await listSessions(fs))[0]!.name, 'one')
  writeFileSync(join(folderOf(1), 'workspace.yaml'), `id: ${id}\nname: two\n`)
  utimesSync(folderOf(1), instant, instant)
  assert.equal((await listSessions(fs))[0]!.name, 'two')
})

test('sessions that are gone leave the catalogue', async () => {
  putSession(1)
  putSession(2)
  await listSessions(fs)
  rmSync(folderOf(1), { recursive: true })
  assert.deepEqual(
    (await listSessions(fs)).map(({ id }) => id),
    [idOf(2)],
  )
  const stored = new TextDecoder().decode(await fs.read(CATALOGUE))
  assert.ok(!stored.includes(idOf(1)))
})

for (const [what, text] of Object.entries({
  empty: '',
  'not JSON': '{"version":1,"sessions":[',
  'of another version': '{"version":999,"sessions":[]}',
  'of the version before':
    '{"version":2,"sinceMs":1,"where":"","unlisted":[]}\n{"texts":[],"rows":[]}',
  'of another shape':
    '{"version":3,"sinceMs":1,"checkedMs":1,"where":"","unlisted":[],"legacy":[],"rows":null,"gone":[],"news":{"texts":[],"rows":[null,[3]]}}',
  'without its rows':
    '{"version":3,"sinceMs":1,"checkedMs":1,"where":"","unlisted":[],"legacy":[],"rows":"0123456789ab","gone":[],"news":{"texts":[],"rows":[]}}',
  null: 'null',
})) {
  test(`a catalogue that is ${what} is no catalogue`, async () => {
    putSession(1)
    const expected = await listSessions(fs)
    writeFileSync(join(root, CATALOGUE), text)
    assert.deepEqual(await listSessions(fs), expected)
    assert.deepEqual(await listSessions(fs), expected)
  })
}

test('a home that cannot be written is listed all the same', async () => {
  putSession(1)
  const writeAtomic = () => Promise.reject(new FsError('EROFS', root, 'read-only'))
  assert.equal((await listSessions({ ...fs, writeAtomic })).length, 1)
})

test('a session that cannot be read does not take the others away', async () => {
  putSession(1)
  putSession(2)
  const openRead = (path: string) =>
    path.includes(idOf(1))
      ? Promise.reject(new FsError('EACCES', path, 'closed'))
      : fs.openRead(path)
  const sessions = await listSessions({ ...fs, openRead })
  assert.deepEqual(
    sessions.map(({ id, summary }) => [id, summary]),
    [[idOf(2), 'prompt 2']],
  )
  const { unusable } = await unlistedSessions({ ...fs, openRead })
  assert.deepEqual(
    unusable.map(({ id }) => id),
    [idOf(1)],
  )
  assert.match(unusable[0]?.reason ?? '', /^events\.jsonl cannot be read \(closed: /)
})

test('folders without a log, with an empty one or with a link for one are told apart', async () => {
  putSession(1)
  mkdirSync(folderOf(2))
  mkdirSync(folderOf(3))
  writeFileSync(join(folderOf(3), 'events.jsonl'), '')
  mkdirSync(folderOf(4))
  symlinkSync(join(folderOf(1), 'events.jsonl'), join(folderOf(4), 'events.jsonl'))
  assert.deepEqual(
    (await listSessions(fs)).map(({ id }) => id),
    [idOf(1)],
  )
  assert.deepEqual(await unlistedSessions(fs), {
    empty: [2, 3].map(idOf),
    unusable: [{ id: idOf(4), reason: 'events.jsonl is a link, a pipe or a device, not a file' }],
  })
  assert.equal(await latestSessionId(fs), idOf(1))
})

test('empty sessions are known from the catalogue, and a deleted one is not among them', async () => {
  mkdirSync(folderOf(3))
  await listed()
  assert.deepEqual((await unlistedSessions(fs)).empty, [idOf(3)])
  await touch(fs, idOf(9))
  writeFileSync(join(folderOf(1), 'events.jsonl'), '')
  await touch(fs, idOf(1))
  assert.deepEqual((await unlistedSessions(fs)).empty, [idOf(1), idOf(3)])
})

test('folders whose names can be no id, links and flat files are not sessions', async () => {
  putSession(1)
  const state = join(root, 'session-state')
  for (const name of [
    '.session-operation-locks',
    `.fork-${idOf(2)}`,
    'two words',
    'ünïcode',
    'a.jsonl',
  ]) {
    mkdirSync(join(state, name))
    writeFileSync(join(state, name, 'events.jsonl'), '{}\n')
  }
  symlinkSync(folderOf(1), folderOf(5))
  writeFileSync(join(state, `${idOf(6)}.jsonl`), '{}\n')
  writeFileSync(join(state, 'older.jsonl'), '{}\n')
  assert.deepEqual(
    (await listSessions(fs)).map(({ id }) => id),
    [idOf(1)],
  )
  assert.deepEqual(await legacySessions(fs), [`${idOf(6)}.jsonl`, 'older.jsonl'])
})

test('a log that is longer than its head, damaged or foreign is listed with what is known', async () => {
  putSession(1, { prompt: 'x'.repeat(100_000) })
  putSession(2, { log: 'not json\n\u0000\u0000' })
  putSession(3, {
    log: '{"type":"user.message","data":{"content":"late"},"id":"a","timestamp":"t","parentId":null}\n',
  })
  const sessions = await listSessions(fs)
  assert.deepEqual(
    sessions.map(({ id, summary, turns, createdAt }) => ({ id, summary, turns, createdAt })),
    [
      { id: idOf(3), summary: 'late', turns: 1, createdAt: '2026-01-03T00:00:00.005Z' },
      { id: idOf(2), summary: '', turns: 0, createdAt: '2026-01-02T00:00:00.005Z' },
      { id: idOf(1), summary: '', turns: 1, createdAt: START },
    ],
  )
})

test('the key of a repository without a remote is read from beside the session', async () => {
  const id = putSession(1)
  await writeRepositoryKey(fs, `session-state/${id}`, 'root:abc')
  await writeMetadata(fs, `session-state/${id}`, {
    id,
    git_root: '/w',
    name: 'n',
    user_named: false,
  })
  assert.equal((await listSessions(fs))[0]!.repositoryKey, 'root:abc')
})

test('a home that does not exist has no sessions, and is not made', async () => {
  const nowhere = openDisk(join(root, 'nowhere'))
  assert.deepEqual(
    [await listSessions(nowhere), await latestSessionId(nowhere), await legacySessions(nowhere)],
    [[], undefined, []],
  )
  assert.equal(await fs.stat('nowhere'), undefined)
})

test('more sessions than files may be open at once are read without running out', async () => {
  let open = 0
  let most = 0
  for (let n = 1; n <= 300; n++) putSession(n, { day: 1 })
  const openRead = async (path: string) => {
    const file = await fs.openRead(path)
    if (file === undefined) return undefined
    most = Math.max(most, ++open)
    const close = () => {
      open--
      return file.close()
    }
    return { ...file, close }
  }
  assert.equal((await listSessions({ ...fs, openRead })).length, 300)
  assert.ok(most <= 32 && open === 0, `${most} at once, ${open} left open`)
})

test('what a list has told of a session is told again without reading it, until it changes', async () => {
  const id = putSession(1, { prompt: 'before' })
  const { fs: seen, opened } = watched()
  await listSessions(seen)
  opened.length = 0
  assert.equal((await readOneSummary(seen, id))?.summary, 'before')
  assert.deepEqual(opened, [])
  putSession(1, { prompt: 'after!', day: 2 })
  assert.equal((await readOneSummary(seen, id))?.summary, 'after!')
  await writeMetadata(fs, `session-state/${id}`, { id, name: 'Named', user_named: true })
  assert.equal((await readOneSummary(seen, id))?.name, 'Named')
  // Written in this very moment: the next change may have the same time on it.
  await writeMetadata(fs, `session-state/${id}`, { id, name: 'Again', user_named: true })
  assert.equal((await readOneSummary(seen, id))?.name, 'Again')
})

test('two who ask a large home for the first time read its sessions once', async () => {
  for (let n = 1; n <= 600; n++) putSession(n, { day: 1 })
  const { fs: seen, opened } = watched()
  const [one, other] = await Promise.all([listSessions(seen), latestSessionId(seen)])
  assert.equal(one.length, 600)
  assert.equal(other, one[0]?.id)
  assert.equal(opened.filter((path) => path.endsWith('events.jsonl')).length, 600)
})

/** What the API tells besides the log of one session: its forks, its bulky content, its context, the trash, the board. */
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEngine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { redactorOf } from '../../src/wiring/open-redactor.ts'
import { cacheFolder } from '../../src/lib/cache-folder.ts'
import { openBoard } from '../../src/store/board.ts'
import { createStore } from '../../src/store/store.ts'
import type * as web from '../../src/surfaces/web/api.ts'
import { startWorker } from '../inbox/start-worker.ts'
import { answered, said } from '../log-of.ts'
import { openStoreHome, sessionId } from '../support/store.ts'
import { obedient } from '../support/obedient.ts'
import { converse, endTool, openHome, say, startTool } from '../support/engine.ts'
import { api, bearer, connect, isReady, openServer, raw, serve, until } from './web.ts'

test('the tree of forks is told from the first session down, also when a branch was deleted', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const { id: first } = await engine.create({ name: 'first' })
  await converse(engine, first, { prompt: 'one' })
  const fork = async (from: typeof first, name: string) =>
    (await (await engine.open(from)).fork({ name })).sessionId
  const left = await fork(first, 'left')
  const right = await fork(first, 'right')
  const deep = await fork(left, 'deep')
  const alone = await engine.create({ name: 'alone' })
  await alone.save()
  const tree = async (id: string) =>
    (await api<web.ForksAnswer>(server.port, `/api/sessions/${id}/forks`)).body
  for (const id of [first, left, right, deep]) {
    const { sessions } = await tree(id)
    assert.deepEqual(
      new Map(sessions.map((each) => [each.title, [each.depth, each.forkedFrom]])),
      new Map([
        ['first', [0, undefined]],
        ['left', [1, first]],
        ['deep', [2, left]],
        ['right', [1, first]],
      ] as const),
    )
    assert.equal(
      sessions.findIndex((each) => each.id === deep) - 1,
      sessions.findIndex((each) => each.id === left),
    )
  }
  assert.deepEqual(
    (await tree(alone.id)).sessions.map(({ title }) => title),
    ['alone'],
  )
  await engine.remove([first])
  const { sessions, lost } = await tree(deep)
  assert.deepEqual([sessions.map(({ title }) => title), lost], [['left', 'deep'], first])
  assert.equal((await api(server.port, `/api/sessions/${first}/forks`)).status, 404)
})

test('a fork that names itself or its own fork as its origin does not lead in a circle', async () => {
  await using place = await openServer()
  const { engine, server, home } = place
  const { id: one } = await engine.create()
  await converse(engine, one, { prompt: 'one' })
  const { sessionId: two } = await (await engine.open(one)).fork()
  await writeFile(join(home.path, 'session-state', one, '.reprise/forked-from'), two)
  await converse(engine, one, { prompt: 'so that it is read again' })
  const { body } = await api<web.ForksAnswer>(server.port, `/api/sessions/${one}/forks`)
  assert.deepEqual(new Set(body.sessions.map(({ id }) => id)), new Set([one, two]))
})

test('a long output is in the transcript by its ends, and whole as an attachment', async () => {
  const long = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n')
  await using place = await openServer({
    script: async function* () {
      yield startTool('t')
      yield endTool('t', long)
    },
  })
  const { engine, server, home } = place
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'print' })
  const path = `/api/sessions/${id}`
  const { body } = await api<web.TranscriptAnswer>(server.port, `${path}/transcript`)
  const tool = body.entries.find((entry) => entry.kind === 'tool')
  assert.ok(tool?.kind === 'tool' && tool.whole !== undefined)
  assert.equal(tool.whole.byteLength, long.length)
  assert.ok((tool.output?.length ?? 0) < long.length)
  const whole = await raw(server.port, `${path}/blobs/${tool.whole.sha256}`, { headers: bearer })
  assert.equal(whole.status, 200)
  assert.equal(whole.text, long)
  assert.equal(whole.headers['content-type'], 'application/octet-stream')
  assert.match(String(whole.headers['content-disposition']), /^attachment; /)
  assert.equal((await api(server.port, `${path}/blobs/${'0'.repeat(64)}`)).status, 404)
  const folder = join(home.path, 'session-state', id, '.reprise/blobs')
  const [file = ''] = await readdir(folder)
  await writeFile(join(folder, file), 'something else')
  assert.equal((await api(server.port, `${path}/blobs/${file}`)).status, 422)
  await writeFile(join(folder, file), Buffer.alloc(17 * 1024 * 1024))
  assert.equal((await api(server.port, `${path}/blobs/${file}`)).status, 400)
})

test('the context grows with what is said, and its limit is that of the agent', async () => {
  await using place = await openServer({
    script: async function* () {
      yield say('words '.repeat(500))
    },
  })
  const { engine, server } = place
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  const size = async () =>
    (await api<web.ContextAnswer>(server.port, `/api/sessions/${id}/context`)).body
  const before = await size()
  await converse(engine, id, { prompt: 'two' })
  assert.ok((await size()).used > before.used)
  assert.equal(before.limit, undefined)
})

test('the trash tells sessions by their names and gives them back', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const { id: named } = await engine.create({ name: 'a name' })
  await (await engine.open(named)).save()
  const { id: nameless } = await engine.create()
  await converse(engine, nameless, { prompt: 'what was asked' })
  for (const id of [named, nameless])
    assert.equal((await api(server.port, `/api/sessions/${id}/delete`, {})).status, 200)
  const { body } = await api<web.TrashAnswer>(server.port, '/api/trash')
  assert.deepEqual(
    new Map(body.sessions.map(({ id, title }) => [id, title])),
    new Map([
      [named, 'a name'],
      [nameless, 'what was asked'],
    ]),
  )
  assert.equal((await api(server.port, `/api/sessions/${named}/restore`, {})).status, 200)
  assert.deepEqual(
    (await engine.list()).map(({ id }) => id),
    [named],
  )
})

test('notes are put on the board and taken off, proposals are decided', async () => {
  await using home = await openHome()
  const options = { cacheFolder: cacheFolder({ XDG_CACHE_HOME: home.path }) }
  const engine = home.engine()
  const store = createStore(engine.fs, options)
  const board = openBoard(engine.fs, options)
  await using server = await serve(engine, home.path, {
    store: {
      store: async () => store,
      board: async () => board,
      redactor: () => redactorOf(home.path),
      ...options,
    },
  })
  const { port } = server
  const shown = async () => {
    const { entries, proposals } = (await api<web.BoardAnswer>(port, '/api/board')).body
    return [entries.map(({ name }) => name), proposals.map(({ name }) => name)]
  }
  const note = { repository: 'o/r', name: 'tests', content: 'npm test' }
  assert.equal((await api(port, '/api/board/add', note)).status, 200)
  assert.equal((await api(port, '/api/board/add', { ...note, name: ' ' })).status, 400)
  await board.propose('s', [
    { repository: 'o/r', src: 'agent', name: 'good', content: 'x' },
    { repository: 'o/r', src: 'agent', name: 'bad', content: 'y' },
  ])
  assert.deepEqual(await shown(), [['tests'], ['good', 'bad']])
  const { proposals } = (await api<web.BoardAnswer>(port, '/api/board')).body
  const decide = (name: string, decision: string) =>
    api(port, '/api/board/decide', {
      ids: proposals.filter((each) => each.name === name).map(({ id }) => id),
      decision,
    })
  assert.equal((await decide('good', 'accept')).status, 200)
  assert.equal((await decide('bad', 'dismiss')).status, 200)
  assert.equal((await api(port, '/api/board/remove', { name: 'tests' })).status, 200)
  assert.deepEqual(await shown(), [['good'], []])
  await store.close()
  board.close()
})

test('a log that is too long to be counted for a list has the count of the index', async () => {
  await using home = openStoreHome()
  const id = sessionId(1)
  home.write(
    id,
    ['one', 'two', 'three'].flatMap((text) => [said(text), answered(text.repeat(60_000))]),
  )
  const store = home.store()
  const engine = createEngine({ fs: openDisk(home.path), cwd: home.path })
  await using server = await serve(engine, home.path, {
    store: {
      store: async () => store,
      board: async () => openBoard(engine.fs, { cacheFolder: home.path }),
      redactor: () => redactorOf(home.path),
      cacheFolder: home.path,
    },
  })
  const turns = async () =>
    (await api<web.SessionsAnswer>(server.port, '/api/sessions')).body.sessions[0]?.turns
  assert.equal(await turns(), undefined)
  await store.reindex()
  assert.equal(await turns(), 3)
})

test('a session is read whatever becomes of the process that is at work in it', async () => {
  await using place = await openServer({ script: obedient })
  const { port } = place.server
  await using worker = await startWorker(place.home.path)
  const shown = () => api<web.SessionAnswer>(port, `/api/sessions/${worker.id}`)
  const client = await connect(port, `/api/sessions/${worker.id}/stream`)
  await until(client.frames, isReady)
  worker.send('wait')
  await until(client.frames, ({ data }) => JSON.stringify(data).includes('assistant.turn_start'))
  client.close()
  assert.equal((await shown()).body.queueTrouble, undefined)
  worker.signal('SIGSTOP') // it has the turn and answers nothing any more
  const { status, body } = await shown()
  assert.deepEqual([status, body.status, body.queue], [200, 'running', []])
  assert.match(body.queueTrouble ?? '', /did not answer/)
  worker.signal('SIGCONT')
})

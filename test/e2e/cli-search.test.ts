/** `search`, `reindex`, `export` and `config` as people and scripts use them. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SearchResult } from '../../src/store/search.ts'
import { startEmbeddings } from '../support/embedding-server.ts'
import { makePlace } from './cli.ts'
import { openDesk, skip } from './tmux.ts'

test('what was said is found, also when nobody asked for an index', async () => {
  using place = makePlace()
  const id = await place.session('why is the walrus late?', 'and the carpenter?')
  const { hits } = await place.json<SearchResult>(['search', 'walrus'])
  assert.ok(hits.length > 0)
  assert.deepEqual(new Set(hits.map(({ sessionId }) => sessionId)), new Set([id]))
  const shown = await place.run(['search', 'carpenter'])
  assert.equal(shown.code, 0)
  assert.ok(shown.stdout.startsWith(`${id.slice(0, 8)}  `))
  assert.match(shown.stdout, /reprise --resume <id> goes on with one/)
  // Quotes around everything are the shell's; those of a phrase are typed, or stand around some of the words.
  assert.equal((await place.run(['search', 'late is'])).code, 0)
  for (const phrase of [['"late is"'], ['walrus', 'late is']]) {
    const { code, stdout } = await place.run(['search', ...phrase])
    assert.deepEqual([code, stdout], [3, 'Nothing was found.\n'])
  }
})

test('what is undone or deleted is found no more', async () => {
  using place = makePlace()
  const id = await place.session('the walrus', 'the carpenter')
  assert.equal((await place.run(['search', 'carpenter'])).code, 0)
  await place.run(['sessions', 'undo', id])
  assert.equal((await place.run(['search', 'carpenter'])).code, 3)
  await place.run(['sessions', 'delete', id, '--yes'])
  assert.equal((await place.run(['search', 'walrus'])).code, 3)
})

test('reindexing counts what it did, and says which session could not be read', async () => {
  using place = makePlace()
  await place.session('the walrus')
  const bad = '22222222-2222-4222-8222-222222222222'
  mkdirSync(join(place.home, 'session-state', bad))
  writeFileSync(join(place.home, 'session-state', bad, 'events.jsonl'), 'nothing of a record\n')
  const { code, stdout } = await place.run(['reindex', '--force'])
  assert.equal(code, 5)
  assert.match(stdout, /^1 session indexed, 0 unchanged, 1 failed\.\n• 22222222-/)
  rmSync(join(place.home, 'session-state', bad), { recursive: true })
  assert.equal((await place.run(['reindex'])).code, 0)
})

test('what cannot be searched for is the caller’s mistake', async () => {
  using place = makePlace()
  await place.session('the walrus')
  for (const args of [
    ['++'],
    ['x', '--role', 'king'],
    ['x', '--since', 'soon'],
    ['a AND (', '--raw'],
  ]) {
    assert.equal((await place.run(['search', ...args])).code, 2)
  }
})

test(
  'on a terminal one key goes on with the session of a hit, and any other leaves',
  { skip },
  async () => {
    using desk = openDesk()
    const first = desk.open(['-p', 'status of the needle', '--allow-all'])
    await first.ends()
    const left = desk.open(['search', 'needle'])
    await left.shows('Go on with 1?')
    left.press('q')
    await left.ends()
    const search = desk.open(['search', 'needle'])
    await search.shows('Go on with 1?')
    search.press('1')
    await search.lacks('Go on with 1?')
    await search.shows('status of the needle')
    search.enter('/exit')
    await search.ends()
  },
)

test(
  'export on a terminal writes the page to a file; in a pipe it is printed',
  { skip },
  async () => {
    using desk = openDesk()
    await desk.open(['-p', 'status of the needle', '--allow-all']).ends()
    await desk.open(['export', '@latest']).ends()
    const files = readdirSync(desk.project).filter((name) => name.endsWith('.html'))
    assert.equal(files.length, 1)
    assert.match(readFileSync(join(desk.project, files[0] ?? ''), 'utf8'), /^<!doctype html>/i)
    using place = makePlace()
    await place.session('status of the needle')
    assert.match((await place.run(['export', '@latest'])).stdout, /^<!doctype html>/i)
  },
)

test('wrong words behind config are answered with its usage', async () => {
  using place = makePlace()
  const [, usage = ''] = /^(Usage: .*)$/m.exec((await place.run(['config', '--help'])).stdout) ?? []
  for (const words of [['foo'], ['set'], ['set', 'model.name']]) {
    const { code, stderr } = await place.run(['config', ...words])
    assert.deepEqual([code, stderr.includes(`Nothing was changed.\n${usage}\n`)], [2, true])
  }
  assert.match(usage, /config/)
})

test('a session is found by what it means once an endpoint is named, and each hit says why', async () => {
  await using server = await startEmbeddings()
  using place = makePlace()
  const id = await place.session('repair the signin of our buyer')
  await place.session('tidy the kitchen')
  const question = ['search', 'fix the login']
  assert.equal((await place.run(question)).code, 3)
  const embedding = JSON.stringify({ url: server.url, model: 'made' })
  assert.equal((await place.run(['config', 'set', 'search.embedding', embedding])).code, 0)
  assert.deepEqual(server.asked, [], 'nothing is asked before someone searches')
  const { hits } = await place.json<SearchResult>([...question, '--explain'])
  assert.equal(hits[0]?.sessionId, id)
  const { stdout } = await place.run([...question, '--explain'])
  assert.match(stdout, /meaning: place 1, 0\.\d+ alike \(session\) · both: 0\.0164/)
  assert.match(
    (await place.run(['search', 'kitchen', '--explain'])).stdout,
    /words: place 1 = rarity/,
  )
  assert.match((await place.run(['reindex'])).stdout, /0 sessions made known by meaning/)
  server.mood = 'broken'
  const away = await place.run(['search', 'kitchen'])
  assert.equal(away.code, 0)
  assert.match(away.stdout, /answered with 500\. So it was looked for by words alone/)
})

/** The doctor of store and board: each way of being stale or damaged, what is said, and that looking changes nothing. */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { SessionId } from '../format/ids.ts'
import { openDisk } from '../fs/disk.ts'
import { openMemory } from '../fs/memory.ts'
import { BOARD } from './board-file.ts'
import { openBoard } from './board.ts'
import { connect } from './connection.ts'
import { examineStore, unreadable } from './doctor.ts'
import { explainSession } from './doctor-session.ts'
import { createStore } from './store.ts'

const ID = '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa' as SessionId

function makeHome() {
  const path = mkdtempSync(join(tmpdir(), 'reprise-doctor-'))
  const fs = openDisk(path)
  const options = { cacheFolder: join(path, 'cache') }
  const log = (id: SessionId) => join(path, 'session-state', id, 'events.jsonl')
  let last: string | null = null
  return {
    path,
    fs,
    log,
    append(type: string, data: object, id = ID) {
      mkdirSync(dirname(log(id)), { recursive: true })
      const event = { type, data, id: crypto.randomUUID(), timestamp: '2026-03-01T00:00:00.000Z' }
      appendFileSync(log(id), `${JSON.stringify({ ...event, parentId: last })}\n`)
      last = event.id
    },
    async reindex() {
      const store = createStore(fs, options)
      await store.reindex()
      await store.close()
    },
    board: () => openBoard(fs, options),
    async look() {
      const { ailments, healthy } = await examineStore(fs, options)
      return {
        healthy,
        ailments: ailments.map(({ layer, severity, remedy }) => [layer, severity, remedy]),
      }
    },
    messages: async () => (await examineStore(fs, options)).ailments.map(({ message }) => message),
    explain: () => explainSession(fs, ID, options),
    sql: (text: string) => {
      const connection = connect(fs, options)
      return connection.use((db) => db.exec(text)).finally(() => connection.close())
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

const start = { sessionId: ID, version: 1, producer: 'x', copilotVersion: '1', startTime: '2026' }

test('an empty home and a store that is up to date are sound', async () => {
  using home = makeHome()
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
  home.append('session.start', start)
  home.append('user.message', { content: 'hello' })
  assert.deepEqual(await home.look(), {
    healthy: true,
    ailments: [['store', 'note', 'reprise reindex']],
  })
  await home.reindex()
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
  assert.deepEqual(await home.explain(), [])
})

test('sessions that came, changed or went make the index stale, and it says how many', async () => {
  using home = makeHome()
  const other = '22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa' as SessionId
  home.append('session.start', start)
  home.append('user.message', { content: 'hello' }, other)
  await home.reindex()
  home.append('user.message', { content: 'more' })
  home.append('user.message', { content: 'x' }, '33333333-aaaa-4aaa-8aaa-aaaaaaaaaaaa' as SessionId)
  rmSync(dirname(home.log(other)), { recursive: true })
  assert.deepEqual(await home.look(), {
    healthy: true,
    ailments: [['store', 'stale', 'reprise reindex']],
  })
  assert.match(
    (await home.messages())[0] ?? '',
    /sessions: 1 not indexed, 1 changed since, 1 no longer there/,
  )
  const [note] = await home.explain()
  assert.deepEqual([note?.severity, note?.remedy], ['stale', 'reprise reindex'])
  await home.reindex()
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
})

test('bytes at the end of a log that are no record do not make it stale for ever', async () => {
  using home = makeHome()
  home.append('session.start', start)
  appendFileSync(home.log(ID), '{"type":"user.mess')
  await home.reindex()
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
})

test('a damaged store is named, left as it is by looking, and made anew by reindexing', async () => {
  using home = makeHome()
  home.append('session.start', start)
  const file = join(home.path, 'session-store.db')
  writeFileSync(file, 'this is not a database '.repeat(100))
  const before = readFileSync(file)
  const damaged = { healthy: false, ailments: [['store', 'damage', 'reprise reindex']] }
  assert.deepEqual(await home.look(), damaged)
  assert.deepEqual(readFileSync(file), before)
  await home.reindex()
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
})

test('pages that were overwritten are damage, though the file opens', async () => {
  using home = makeHome()
  home.append('session.start', start)
  for (let turn = 0; turn < 50; turn++)
    home.append('user.message', { content: 'word '.repeat(500) })
  await home.reindex()
  const file = join(home.path, 'session-store.db')
  const bytes = readFileSync(file)
  // The end of the file holds turns and what search finds, which nothing here reads.
  bytes.fill(0xff, Math.floor(bytes.length * 0.75))
  writeFileSync(file, bytes)
  assert.deepEqual(await home.look(), {
    healthy: false,
    ailments: [['store', 'damage', 'reprise reindex']],
  })
})

test('a disk without room or with faults is named, and is no damage of the store', () => {
  const failed = (errcode: number) => Object.assign(new Error('disk I/O error'), { errcode })
  const said = (errcode: number, isFull: boolean) => {
    const { severity, message } = unreadable(failed(errcode), isFull)
    return `${severity}: ${message.split(/[,:]/)[0]}`
  }
  assert.deepEqual(
    [said(10, true), said(13, true), said(10, false), said(11, false)],
    [
      'note: The disk is full',
      'note: The disk is full',
      'note: The disk fails',
      'damage: The session store is damaged (disk I/O error). It is made from the logs',
    ],
  )
})

test('a store of a later version is left alone', async () => {
  using home = makeHome()
  await home.sql('UPDATE schema_version SET version = 99')
  assert.deepEqual(await home.look(), {
    healthy: true,
    ailments: [['store', 'stale', undefined]],
  })
})

test('the board is compared with its copy: missing, damaged and different are told apart', async () => {
  using home = makeHome()
  const board = home.board()
  await board.add({ repository: 'octo/one', src: 'person', name: 'n', content: 'c' })
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
  const stale = { healthy: true, ailments: [['board', 'stale', 'reprise doctor --repair']] }
  await home.sql("UPDATE dynamic_context_items SET content = 'other'")
  assert.deepEqual(await home.look(), stale)
  await board.mend()
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
  writeFileSync(join(home.path, BOARD), '{')
  assert.deepEqual(await home.look(), {
    healthy: false,
    ailments: [['board', 'damage', 'reprise doctor --repair']],
  })
  rmSync(join(home.path, BOARD))
  assert.deepEqual(await home.look(), stale)
  await board.mend()
  assert.deepEqual(await home.look(), { healthy: true, ailments: [] })
  assert.deepEqual(
    (await board.list()).map(({ content }) => content),
    ['c'],
  )
  board.close()
})

test('a session explains what seems to be missing: failed compactions, fork points, cut results', async () => {
  using home = makeHome()
  home.append('session.start', start)
  home.append('session.info', {
    infoType: 'fork',
    message: 'Forked from session 22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa before event abc.',
  })
  home.append('user.message', { content: 'hello' })
  home.append('tool.execution_start', { toolCallId: 't', toolName: 'bash' })
  home.append('tool.execution_complete', {
    toolCallId: 't',
    success: true,
    result: { content: 'x'.repeat(10_000) },
  })
  home.append('session.compaction_complete', { success: false, error: 'too long' })
  await home.reindex()
  assert.deepEqual(await home.explain(), [
    {
      layer: 'store',
      severity: 'note',
      message:
        'Of 1 long tool results the store keeps the beginning and the end. The log has them whole: reprise sessions events 11111111 --types tool.execution_complete --json',
    },
    {
      layer: 'checkpoints',
      severity: 'note',
      message:
        'It was forked from 22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa before event abc: checkpoints of later turns stay with the source.',
    },
    {
      layer: 'checkpoints',
      severity: 'note',
      message:
        'A compaction failed at 2026-03-01T00:00:00.000Z (too long): it made no checkpoint, and the history was left as it was.',
    },
  ])
})

test('where sessions do not live on a disk, that is said', async () => {
  const { ailments } = await examineStore(openMemory(), { cacheFolder: '/nowhere' })
  assert.match(ailments[0]?.message ?? '', /^Sessions live in memory/)
})

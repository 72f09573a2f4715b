/**
 * src/format/layout.ts is whole: whatever is written below a home, for however short a time, belongs to exactly one of
 * its rows, and each of its rows is written by something here or says why not.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { keepInner } from '../../src/agents/acp/agent-file.ts'
import { markUnseen } from '../../src/engine/sessions/unread.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { FeedItem } from '../../src/engine/live/feed.ts'
import type { EventId, SessionId } from '../../src/format/ids.ts'
import { layout, type LayoutRow } from '../../src/format/layout.ts'
import { fileName, logPath, rowsAt, sessionDir } from '../../src/format/paths.ts'
import { isTemporary } from '../../src/fs/disk-steps.ts'
import { openDisk } from '../../src/fs/disk.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { openBoard } from '../../src/store/board.ts'
import { findDatabaseFile } from '../../src/store/database-file.ts'
import { writeSessionSql } from '../../src/store/query/session-sql.ts'
import { makePlace } from '../e2e/cli.ts'
import { openDesk, skip } from '../e2e/tmux.ts'
import {
  callTool,
  converse,
  endTool,
  openHome,
  say,
  startTool,
  type Script,
} from '../support/engine.ts'
import { obedient } from '../support/obedient.ts'
import { openRecordingDisk } from './recording-fs.ts'

const limits = { timeout: 120_000 }

/** Why nothing here writes a row. Those of the Copilot CLI need no reason: we never write them. */
const NOT_WRITTEN: Readonly<Record<string, string>> = {
  'home.controlDatabase': 'only a home that serves Mission Control has one (test/control)',
  'home.controlLock': 'held by that server while it runs',
  'home.remoteDue': 'only a home that has joined a Mission Control has one (test/remote)',
  'home.remoteKnown': 'only there, too',
  'home.remoteRemoved': 'only there, too',
  'home.remoteLooked': 'only there, too',
  'session.remote': 'only there, too',
  'home.rescued': 'only a home with imported sessions has one: test/interchange',
  'home.rescuedAbout': 'only there, too',
  'home.claudeStore': 'only a home that keeps sessions of the Claude Agent SDK: test/interchange',
  'session.imported': 'only there, too',
  'session.replacing': "only in a client's store that cannot rename (test/rpc/any-provider)",
  'home.catalogueRows':
    'only a home of more than 512 sessions has one: src/engine/catalogue/catalogue-rows.test.ts',
  'home.copilotPlugins': 'only a home with plugins has one: test/rpc/plugins.test.ts',
  'session.objective': 'only a program writes one: test/rpc/plugins.test.ts',
  'home.extension': 'people put extensions there; they are only read',
  'home.programs': 'people put extensions there, too: test/rpc/plugins.test.ts',
  'home.configLock': 'is there only while the settings change: src/config/change-config.test.ts',
  'home.boardRequest': 'is left only while two processes change the board at the same moment',
  'session.foreignIntent': 'only a session that came from elsewhere has one',
  'session.olderCheckpoint': 'is left only when a person put a file where a redo needs the name',
  'session.spent': 'only a session has one whose undone calls are gone for good: test/e2e/spent',
  'session.unfinished':
    'is left only when another program goes on after a kill: test/e2e/unfinished',
  'session.queue': 'is there only while a message waits: src/engine/turn/queue.test.ts',
  'session.pack': 'only sessions of earlier versions have one',
  'session.packIndex': 'only sessions of earlier versions have one',
}

const seen = new Set<string>()

/** Every one of these paths belongs to exactly one row. */
function classify(paths: Iterable<string>): void {
  for (const path of paths) {
    const names = rowsAt(path).map(({ name }) => name)
    assert.equal(names.length, 1, `${path} belongs to ${names.join(', ') || 'no row'}`)
    for (const name of names) seen.add(name)
  }
}

function filesBelow(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
}

/** `long`, `write <file> <text>`, or what `obedient` does. */
const worker = (project: string): Script =>
  async function* (turn, signal) {
    const [verb, name = '', text = ''] = turn.message.content.split(' ')
    if (verb !== 'long' && verb !== 'write') return yield* obedient(turn, signal)
    const toolCallId = crypto.randomUUID()
    yield callTool(toolCallId)
    yield startTool(toolCallId, 'bash', { command: turn.message.content })
    if (verb === 'write') await writeFile(join(project, name), text)
    yield endTool(toolCallId, verb === 'long' ? 'x'.repeat(100_000) : 'written')
    yield say('done')
  }

async function sees<T>(
  engine: Engine,
  id: SessionId,
  pick: (item: FeedItem) => T | undefined,
): Promise<T> {
  for await (const item of (await engine.open(id)).follow()) {
    const found = pick(item)
    if (found !== undefined) return found
  }
  assert.fail('never seen')
}

type Recorded = { readonly fs: SessionFs; readonly file: (path: string) => string }

/** An engine that is closed when the story has been told. */
async function withHome(
  story: (home: Recorded & { readonly project: string; engine(): Engine }) => Promise<void>,
): Promise<void> {
  await using home = await openHome()
  await using outside = await openHome()
  const written = new Set<string>()
  const fs = openRecordingDisk(home.path, written)
  const project = join(outside.path, 'project')
  mkdirSync(project)
  const options = { fs, script: worker(project), trackFiles: true, answersQuestions: true }
  await story({
    fs,
    project,
    engine: () => home.engine(options),
    file: (path) => join(home.path, path),
  })
  classify(written)
  classify(filesBelow(home.path))
}

test('a session that is made, used, rewound, forked, archived, deleted and restored', limits, () =>
  withHome(async ({ fs, project, engine: open, file }) => {
    spawnSync('git', ['init', '-q', project])
    for (let n = 0; n < 100; n++) writeFileSync(join(project, `kept-${n}.txt`), 'kept')
    const engine = open()
    const session = await engine.create({ cwd: project, name: 'Everything' })
    const { id } = session
    await converse(engine, id, { prompt: 'long' })
    await converse(engine, id, { prompt: 'write a.txt one' })
    await converse(engine, id, { prompt: 'write a.txt two' })
    await session.undo({ mode: 'conversation-and-files' })
    await session.redo()
    await session.undo({ mode: 'conversation-and-files' })
    await session.writePlan('A plan.')
    await session.writeFile('files/notes/a.md', Buffer.from('a'))
    await session.writeFile('research/b.md', Buffer.from('b'))
    await session.compact()
    await session.undo()
    await converse(engine, id, { prompt: 'again' })
    const fork = await session.fork()
    await engine.archive(fork.sessionId)
    await markUnseen(fs, fork.sessionId, 'failed')
    await engine.remove([fork.sessionId])
    await engine.restore(fork.sessionId)
    await engine.remove([fork.sessionId])
    await engine.forget({ text: 'again' }, { dryRun: false })
    await engine.list()
    await writeSessionSql(fs, sessionDir(id), { sql: 'CREATE TABLE notes (text)' })
    await keepInner(file(sessionDir(id)), 'scripted', {
      of: id,
      innerSessionId: 'one',
      turns: [],
      cwd: project,
      since: '1' as EventId,
      knows: '1' as EventId,
      isSettled: true,
      rung: 'none',
      capabilities: {},
    })
  }),
)

test('a turn that is asked about and steered from elsewhere', limits, () =>
  withHome(async ({ project, engine: open }) => {
    const [there, here] = [open(), open()]
    const { id } = await there.create({ cwd: project })
    await converse(there, id, { prompt: 'first' })
    await converse(here, id, { prompt: 'second' })
    const turn = converse(here, id, { prompt: 'ask' })
    const requestId = await sees(there, id, (item) =>
      item.kind === 'notice' && item.notice.type === 'user_input.requested'
        ? item.notice.data.requestId
        : undefined,
    )
    await (await there.open(id)).answerQuestion(requestId, 'red')
    assert.equal((await turn).status, 'completed')
    const streaming = converse(here, id, { prompt: 'stream' })
    await sees(there, id, (item) =>
      item.kind === 'notice' && item.notice.type === 'assistant.message_delta' ? true : undefined,
    )
    await (await there.open(id)).send({ prompt: 'go on' }, { whenBusy: 'steer' })
    assert.equal((await streaming).status, 'completed')
  }),
)

test('a session whose files are damaged, and mended', limits, () =>
  withHome(async ({ project, engine: open, file }) => {
    const first = open()
    const { id } = await first.create({ cwd: project })
    await converse(first, id, { prompt: 'one' })
    await converse(first, id, { prompt: 'two' })
    await first.stop()
    const log = file(logPath(sessionDir(id)))
    appendFileSync(log, '{"type":"user.mess')
    writeFileSync(file(`${sessionDir(id)}/workspace.yaml`), '\t- : [')
    const second = open()
    await converse(second, id, { prompt: 'three' })
    await second.stop()
    const lines = readFileSync(log, 'utf8').split('\n')
    writeFileSync(log, lines.with(2, '{"type":').join('\n'))
    assert.equal((await open().mend(id)).log.changed, true)
  }),
)

test('the board, also when its files cannot be read', limits, () =>
  withHome(async ({ fs, file }) => {
    const entry = { repository: 'one/two', src: 'test', name: 'name', content: 'A note.' }
    const board = openBoard(fs, { cacheFolder: file('cache') })
    await board.add(entry)
    await board.propose('a session', [{ ...entry, name: 'other' }])
    for (const name of ['board', 'proposals'])
      writeFileSync(file(`.reprise/board/${name}.json`), 'nothing that can be read')
    await board.add(entry)
    await board.propose('a session', [{ ...entry, name: 'third' }])
    board.close()
  }),
)

test(
  'the program itself: its store, its settings, its servers and its terminal',
  limits,
  async () => {
    using place = makePlace()
    const { home, run } = place
    const env = { REPRISE_LOG: 'debug' }
    const ok = async (...args: readonly string[]) => {
      const { code, stderr } = await run(args, { env })
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
      classify(filesBelow(home))
    }
    await ok(
      '-p',
      'write notes.txt: a token ghp_x7Kq2LmZ9vTn4RbW1cYd8HsJ5gFp3QeA6uXi',
      '--allow-all',
    )
    await ok('config', 'set', 'agent', 'offline')
    await ok('reindex')
    await ok('search', 'notes')
    writeFileSync(
      join(home, 'session-store.db'),
      'no database at all, and long enough to be seen as none',
    )
    await ok('reindex')
    await ok('board', 'add', 'name', 'A note.')
    for (const args of [
      ['web', '--no-open', '--port', '0', '--guest', '@latest'],
      ['--server', '--port', '0'],
    ]) {
      const child = place.start(args, { env })
      const lines = createInterface({ input: child.stdout ?? process.stdin })
      for await (const line of lines) if (/Guest link|listening/.test(line)) break
      classify(filesBelow(home))
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      classify(filesBelow(home))
    }
  },
)

test('what a program keeps with a session', limits, async () => {
  using place = makePlace()
  const sessionId = await place.session('hello')
  const child = place.start(['--server', '--stdio'])
  let told = ''
  child.stdout?.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const set = { colour: 'red' }
  const requests = [
    ['connect', {}],
    ['session.resume', { sessionId }],
    ['session.metadata.updateClientMetadata', { sessionId, set }],
    ['session.permissions.folderTrust.addTrusted', { sessionId, path: '/usr' }],
  ] as const
  for (const [id, [method, params]] of requests.entries()) {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    child.stdin?.write(`Content-Length: ${body.length}\r\n\r\n${body}`)
    while (!told.includes(`"id":${id}`)) await once(child.stdout ?? child, 'data')
  }
  classify(filesBelow(place.home))
  const ended = once(child, 'exit')
  child.stdin?.end()
  await ended
})

test("the store in the Copilot CLI's home", limits, async () => {
  using place = makePlace()
  mkdirSync(place.home)
  writeFileSync(join(place.home, 'config.json'), '{}')
  await place.session('hello')
  assert.equal((await place.run(['reindex'])).code, 0)
  writeFileSync(
    join(place.home, '.reprise/session-store.db'),
    'no database at all, and long enough',
  )
  assert.equal((await place.run(['reindex'])).code, 0)
  classify(filesBelow(place.home))
})

test('what is typed in the terminal', { ...limits, skip }, async () => {
  using desk = openDesk()
  const window = desk.open()
  await window.shows(/commands · \? help/)
  window.enter('status')
  await window.shows('Turns')
  classify(filesBelow(desk.home))
  window.enter('/exit')
  await window.shows(/goes on/)
  classify(filesBelow(desk.home))
})

test('a file that is in no row is found out', () => {
  assert.throws(() => classify(['.reprise/elsewhere.json']), /belongs to no row/)
  assert.throws(() => classify(['session-state/.one/events.jsonl']), /belongs to no row/)
})

test('the store of a home on a shared disk stands where the table says', async () => {
  await using home = await openHome()
  const found = await findDatabaseFile(openDisk(home.path), {
    cacheFolder: join(home.path, 'cache'),
    isShared: () => true,
  })
  assert.match(found?.path ?? '', /^stores\/[0-9a-f]{16}\/session-store\.db$/)
  await rm(home.path, { recursive: true })
})

test('a file in the making is named as the table says', () => {
  const name = fileName(layout.anywhere.temporary, { pid: 1, hex: '0123456789abcdef' })
  assert.ok(isTemporary(name))
  assert.deepEqual(
    rowsAt(`session-state/x/files/${name}`).map((each) => each.name),
    ['anywhere.temporary'],
  )
})

test('every row was written by something here, or says why not', () => {
  const { home, session, anywhere } = layout
  const rows = Object.entries({ home, session, anywhere }).flatMap(([scope, table]) =>
    Object.entries<LayoutRow>(table).map(([name, row]) => ({ name: `${scope}.${name}`, row })),
  )
  const missing = rows
    // Only a terminal writes it.
    .filter(({ name }) => skip === false || name !== 'home.promptHistory')
    // Is mostly gone before anybody can look; its name is compared elsewhere.
    .filter(({ name }) => name !== 'anywhere.temporary')
    .filter(
      ({ name, row }) => row.whose !== 'copilot' && !row.path.endsWith('/') && !seen.has(name),
    )
    .map(({ name }) => name)
  assert.deepEqual(missing.toSorted(), Object.keys(NOT_WRITTEN).toSorted())
})

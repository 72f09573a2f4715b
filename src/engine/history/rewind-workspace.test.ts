import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  callTool,
  converse,
  endTool,
  eventsOf,
  openHome,
  say,
  startTool,
  type Home,
  type Script,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { encodeText } from '../../lib/bytes.ts'
import type { Engine } from '../engine.ts'

test('plan, files and research go back with the turn that changed them, and a redo brings them again', async () => {
  await using home = await openHome()
  const { engine, id, own } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A files/a.md=one' })
  const before = await own()
  await converse(engine, id, {
    prompt: 'plan.md=B files/a.md=two files/deep/b.md=new research/r.md=found',
  })
  const after = await own()
  const { restoredFiles, skippedFiles } = await (await engine.open(id)).undo()
  assert.deepEqual(await own(), before)
  assert.deepEqual(
    { restoredFiles, skippedFiles },
    {
      restoredFiles: ['files/a.md', 'files/deep/b.md', 'plan.md', 'research/r.md'].map((path) =>
        join(folderOf(home, id), path),
      ),
      skippedFiles: [],
    },
  )
  await (await engine.open(id)).redo()
  assert.deepEqual(await own(), after)
  await (await engine.open(id)).undo({ turns: 2 })
  assert.deepEqual(await own(), {})
  await (await engine.open(id)).redo()
  assert.deepEqual(await own(), after)
})

test('what a person writes follows too, and belongs to the turn before it', async () => {
  await using home = await openHome()
  const { engine, id, own } = await working(home)
  await (await engine.open(id)).writePlan('mine')
  await converse(engine, id, { prompt: 'plan.md=A' })
  await (await engine.open(id)).writePlan('B')
  await (await engine.open(id)).writeFile('files/note.md', encodeText('note'))
  await converse(engine, id, { prompt: 'plan.md=C' })
  await (await engine.open(id)).undo()
  assert.deepEqual(await own(), { 'plan.md': 'B', 'files/note.md': 'note' })
  await (await engine.open(id)).undo()
  assert.deepEqual(await own(), { 'plan.md': 'mine' })
  await (await engine.open(id)).redo()
  await (await engine.open(id)).redo()
  assert.deepEqual(await own(), { 'plan.md': 'C', 'files/note.md': 'note' })
  await (await engine.open(id)).deletePlan()
  await (await engine.open(id)).undo()
  assert.equal((await own())['plan.md'], 'B')
})

test('a rewind of the conversation alone leaves plan and files, and its redo too', async () => {
  await using home = await openHome()
  const { engine, id, own } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A files/a.md=one' })
  const written = await own()
  const { mode, restoredFiles } = await (await engine.open(id)).undo({ mode: 'conversation' })
  assert.deepEqual({ mode, restoredFiles }, { mode: 'conversation', restoredFiles: [] })
  assert.deepEqual(await own(), written)
  await (await engine.open(id)).redo()
  assert.deepEqual(await own(), written)
})

test('what was changed by hand since is left alone and named, before and in the rewind', async () => {
  await using home = await openHome()
  const { engine, id, own, put } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A files/a.md=one' })
  await put('plan.md', 'by hand')
  const [point] = await (await engine.open(id)).rewindPoints()
  const { files } = await (await engine.open(id)).previewRewind(point!.eventId)
  assert.deepEqual(
    files.map(({ path, of, absolutePath, change, verdict }) => [
      path,
      of,
      absolutePath,
      change,
      verdict,
    ]),
    [
      ['files/a.md', 'session', join(folderOf(home, id), 'files/a.md'), 'created', 'restore'],
      ['plan.md', 'session', join(folderOf(home, id), 'plan.md'), 'created', 'drifted'],
    ],
  )
  const { restoredFiles, skippedFiles } = await (await engine.open(id)).undo()
  assert.deepEqual(
    { restoredFiles, skippedFiles },
    {
      restoredFiles: [join(folderOf(home, id), 'files/a.md')],
      skippedFiles: [{ path: join(folderOf(home, id), 'plan.md'), reason: 'user-modified' }],
    },
  )
  assert.deepEqual(await own(), { 'plan.md': 'by hand' })
  await (await engine.open(id)).redo()
  assert.deepEqual(await own(), { 'plan.md': 'by hand', 'files/a.md': 'one' })
})

test('what was changed by hand between two turns is noticed, and stays when the later one is taken back', async () => {
  await using home = await openHome()
  const { engine, id, own, put } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A' })
  await put('plan.md', 'by hand')
  await converse(engine, id, { prompt: 'plan.md=B' })
  await (await engine.open(id)).undo()
  assert.deepEqual(await own(), { 'plan.md': 'by hand' })
  await (await engine.open(id)).undo()
  assert.deepEqual(await own(), {})
})

test('where no earlier version is known the file is left alone and named', async () => {
  await using home = await openHome()
  const { engine, id, own } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A' })
  await converse(engine, id, { prompt: 'plan.md=B files/a.md=one' })
  await (await engine.open(id)).close()
  // As if another program had written both.
  await rm(join(folderOf(home, id), '.reprise/files'), { recursive: true })
  const other = home.engine()
  const { restoredFiles, skippedFiles } = await (await other.open(id)).undo()
  const left = { 'plan.md': 'B', 'files/a.md': 'one' }
  assert.deepEqual(
    { restoredFiles, skippedFiles },
    {
      restoredFiles: [],
      skippedFiles: Object.keys(left).map((path) => ({
        path: join(folderOf(home, id), path),
        reason: 'skipped-capture',
      })),
    },
  )
  assert.deepEqual(await own(), left)
})

test('a file that is too large to be kept is left alone and named', async () => {
  await using home = await openHome()
  const { engine, id } = await working(home)
  const big = join(folderOf(home, id), 'files/big.bin')
  await converse(engine, id, { prompt: 'files/big.bin=small' })
  await converse(engine, id, { prompt: 'files/big.bin=large' })
  const { restoredFiles, skippedFiles } = await (await engine.open(id)).undo()
  assert.deepEqual(
    { restoredFiles, skippedFiles },
    { restoredFiles: [], skippedFiles: [{ path: big, reason: 'skipped-capture' }] },
  )
  assert.equal((await stat(big)).size, LARGE)
})

test('another process takes back what this one recorded', async () => {
  await using home = await openHome()
  const { engine, id, own } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A' })
  await converse(engine, id, { prompt: 'plan.md=B' })
  await (await engine.open(id)).close()
  const other = home.engine()
  await (await other.open(id)).undo()
  assert.deepEqual(await own(), { 'plan.md': 'A' })
  await (await engine.open(id)).redo()
  assert.deepEqual(await own(), { 'plan.md': 'B' })
})

test('a fork before a message has plan and files as they were then', async () => {
  await using home = await openHome()
  const { engine, id, own } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A files/a.md=one files/b.md=gone' })
  const before = await own()
  await converse(engine, id, { prompt: 'plan.md=B files/a.md=two files/b.md= files/late.md=late' })
  const after = await own()
  const [point] = await (await engine.open(id)).rewindPoints()
  const { sessionId } = await (await engine.open(id)).fork({ before: point!.eventId })
  assert.deepEqual(await ownFiles(home, sessionId), before)
  assert.deepEqual(await own(), after)
  const whole = await (await engine.open(id)).fork()
  assert.deepEqual(await ownFiles(home, whole.sessionId), after)
})

test('events about plan and files keep their shape', async () => {
  await using home = await openHome()
  const { engine, id } = await working(home)
  await converse(engine, id, { prompt: 'plan.md=A files/a.md=one' })
  const told = (await eventsOf(engine, id)).filter(({ type }) => /plan|workspace_file/.test(type))
  assert.deepEqual(
    told.map(({ type, data }) => ({ type, data })),
    [
      {
        type: 'session.workspace_file_changed',
        data: { path: 'a.md', operation: 'create' },
      },
      { type: 'session.plan_changed', data: { operation: 'create' } },
    ],
  )
})

const folderOf = (home: Home, id: SessionId) => join(home.path, 'session-state', id)

/** "path=text" writes a file of the session as a shell does it, "path=" removes it. */
const shell = (home: Home): Script =>
  async function* (turn) {
    const toolCallId = crypto.randomUUID()
    yield callTool(toolCallId)
    yield startTool(toolCallId, 'bash', { command: turn.message.content })
    for (const order of turn.message.content.split(' ')) {
      const [path = '', text = ''] = order.split('=')
      await putIn(folderOf(home, turn.sessionId), path, text)
    }
    yield endTool(toolCallId)
    yield say('done')
  }

async function putIn(folder: string, path: string, text: string): Promise<void> {
  if (text === '') return rm(join(folder, path))
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
  if (text === 'large') await truncate(join(folder, path), LARGE)
}

/** More than is kept of one file. */
const LARGE = 64 * 1024 * 1024 + 1

async function ownFiles(home: Home, id: SessionId): Promise<Record<string, string>> {
  const folder = folderOf(home, id)
  const found: Record<string, string> = {}
  for (const name of ['plan.md', 'files', 'research']) {
    if (!existsSync(join(folder, name))) continue
    const inside =
      name === 'plan.md' ? [''] : await readdir(join(folder, name), { recursive: true })
    for (const path of inside.map((each) => join(name, each)).toSorted()) {
      const text = await readFile(join(folder, path), 'utf8').catch(() => undefined) // a folder
      if (text !== undefined) found[path] = text
    }
  }
  return found
}

async function working(home: Home): Promise<{
  engine: Engine
  id: SessionId
  own(): Promise<Record<string, string>>
  put(path: string, text: string): Promise<void>
}> {
  const engine = home.engine({ script: shell(home) })
  const { id } = await engine.create({ cwd: home.path })
  return {
    engine,
    id,
    own: () => ownFiles(home, id),
    put: (path, text) => putIn(folderOf(home, id), path, text),
  }
}

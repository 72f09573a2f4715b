import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { shell, working } from '../../../test/support/at-work.ts'
import {
  callTool,
  converse,
  endTool,
  openHome,
  promptsOf,
  startTool,
} from '../../../test/support/engine.ts'
import { EngineError } from '../errors.ts'

test('a rewind takes back what tools and shells did to files, and a redo does it again', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  const file = (name: string) => join(project, name)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await converse(engine, id, { prompt: 'write a.txt two' })
  await converse(engine, id, { prompt: 'delete kept.txt' })
  const result = await (await engine.open(id)).undo({ turns: 2 })
  assert.deepEqual([...result.restoredFiles].toSorted(), [file('a.txt'), file('kept.txt')])
  assert.equal(await readFile(file('a.txt'), 'utf8'), 'one')
  assert.equal(await readFile(file('kept.txt'), 'utf8'), 'kept')
  assert.deepEqual(await promptsOf(engine, id), ['write a.txt one'])
  await (await engine.open(id)).redo()
  assert.equal(await readFile(file('a.txt'), 'utf8'), 'two')
  assert.equal(existsSync(file('kept.txt')), false)
  await (await engine.open(id)).undo({ turns: 3 })
  assert.equal(existsSync(file('a.txt')), false)
})

test('a rewind of the conversation alone leaves files, and its redo too', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await (await engine.open(id)).undo({ mode: 'conversation' })
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'one')
  await writeFile(join(project, 'a.txt'), 'mine')
  await (await engine.open(id)).redo()
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'mine')
})

test('a file that the user changed since is left alone and named', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await writeFile(join(project, 'a.txt'), 'mine')
  const [point] = await (await engine.open(id)).rewindPoints()
  const preview = await (await engine.open(id)).previewRewind(point!.eventId)
  assert.deepEqual(
    preview.files.map(({ path, verdict }) => ({ path, verdict })),
    [{ path: 'a.txt', verdict: 'drifted' }],
  )
  const { restoredFiles, skippedFiles } = await (await engine.open(id)).undo()
  assert.deepEqual(
    { restoredFiles, skippedFiles },
    {
      restoredFiles: [],
      skippedFiles: [{ path: join(project, 'a.txt'), reason: 'user-modified' }],
    },
  )
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'mine')
})

test('another process can take back what this one recorded', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await (await engine.open(id)).close()
  const other = home.engine({ trackFiles: true })
  await (await other.open(id)).undo()
  assert.equal(existsSync(join(project, 'a.txt')), false)
})

test('blame names the turn and the prompt that wrote a line', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt first' })
  await converse(engine, id, { prompt: 'write a.txt second' })
  const [line] = await engine.blame({ file: 'a.txt', cwd: project })
  assert.equal(line?.by.kind === 'turn' && line.by.prompt, 'write a.txt second')
  const [older] = await engine.blame({ file: 'kept.txt', cwd: project })
  assert.equal(older?.by.kind, 'unknown')
  for (const query of [{ file: 'none.txt' }, { file: 'a.txt', lines: { from: 2, to: 3 } }])
    await assert.rejects(engine.blame({ ...query, cwd: project }), hasCode('not_found'))
})

test('blame of what an agent wrote by itself names what the person had asked for last', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  for (const prompt of ['first', 'second']) await converse(engine, id, { prompt })
  await converse(engine, id, { prompt: 'write a.txt on', source: 'agent-stop' })
  const [line] = await engine.blame({ file: 'a.txt', cwd: project })
  assert.equal(line?.by.kind === 'turn' && line.by.prompt, 'second')
})

test('what changed while calls overlapped is one record: blame names them all, and undo takes it back', async () => {
  await using home = await openHome()
  const { project } = await working(home)
  const engine = home.engine({
    trackFiles: true,
    async *script() {
      yield callTool('one')
      yield callTool('two')
      yield startTool('one', 'bash', { command: 'echo > a.txt' })
      yield startTool('two', 'bash', { command: 'echo > b.txt' })
      await writeFile(join(project, 'a.txt'), 'a\n')
      await writeFile(join(project, 'b.txt'), 'b\n')
      yield endTool('two')
      yield endTool('one')
    },
  })
  const { id } = await engine.create({ cwd: project })
  await converse(engine, id, { prompt: 'both' })
  for (const file of ['a.txt', 'b.txt']) {
    const [line] = await engine.blame({ file, cwd: project })
    assert.deepEqual(line?.by.kind === 'turn' && [line.by.toolCallId, line.by.alongside], [
      'two',
      ['one'],
    ])
  }
  await (await engine.open(id)).undo()
  assert.deepEqual(
    ['a.txt', 'b.txt'].map((file) => existsSync(join(project, file))),
    [false, false],
  )
})

test('without a record the conversation is rewound, and it is said that files are not', async () => {
  await using home = await openHome()
  const { project } = await working(home)
  const engine = home.engine({ script: shell(project) })
  const { id } = await engine.create({ cwd: project })
  await converse(engine, id, { prompt: 'write a.txt one' })
  const { mode, restoredFiles, filesUnrecorded } = await (await engine.open(id)).undo()
  assert.deepEqual(
    { mode, restoredFiles, filesUnrecorded },
    { mode: 'conversation-and-files', restoredFiles: [], filesUnrecorded: true },
  )
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'one')
  assert.deepEqual(await promptsOf(engine, id), [])
})

test('what another process recorded is taken back where nothing is recorded now', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await (await engine.open(id)).close()
  await (await home.engine().open(id)).undo()
  assert.equal(existsSync(join(project, 'a.txt')), false)
})

test('a folder that a turn made goes with it and comes back with it', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'mkdir empty' })
  await (await engine.open(id)).undo()
  assert.equal(existsSync(join(project, 'empty')), false)
  await (await engine.open(id)).redo()
  assert.equal(existsSync(join(project, 'empty')), true)
})

test('two processes take turns in one session, and each knows what the other recorded', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  const other = home.engine({ script: shell(project), trackFiles: true })
  const content = () => readFile(join(project, 'a.txt'), 'utf8')
  await converse(engine, id, { prompt: 'write a.txt one' })
  await other.open(id)
  await converse(other, id, { prompt: 'write a.txt two' })
  await (await other.open(id)).undo()
  await converse(engine, id, { prompt: 'write a.txt three' })
  await (await other.open(id)).undo()
  assert.equal(await content(), 'one')
  await (await engine.open(id)).redo()
  assert.equal(await content(), 'three')
  await (await engine.open(id)).undo({ turns: 2 })
  assert.equal(existsSync(join(project, 'a.txt')), false)
})

const hasCode = (code: string) => (error: unknown) =>
  error instanceof EngineError && error.code === code

test('files alone go back in one step, and a redo brings them again while nothing else was said', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  const file = (name: string) => join(project, name)
  for (const prompt of ['write a.txt one', 'write a.txt two', 'write b.txt new', 'delete kept.txt'])
    await converse(engine, id, { prompt })
  const session = await engine.open(id)
  const eventId = (await session.rewindPoints())[2]!.eventId
  const result = await session.rewind(eventId, { mode: 'files' })
  assert.deepEqual(
    [result.turnsRemoved, [...result.restoredFiles].toSorted(), result.removedFiles],
    [0, [file('a.txt'), file('b.txt'), file('kept.txt')], [file('b.txt')]],
  )
  assert.equal(await readFile(file('a.txt'), 'utf8'), 'one')
  assert.equal(existsSync(file('b.txt')), false)
  assert.equal((await promptsOf(engine, id)).length, 4)
  await session.redo()
  assert.equal(await readFile(file('a.txt'), 'utf8'), 'two')
  assert.equal(existsSync(file('kept.txt')), false)
  await assert.rejects(session.redo(), /nothing to redo/i)
  // Once more, and then the session goes on: what the files were is in its past.
  await session.rewind(eventId, { mode: 'files' })
  await converse(engine, id, { prompt: 'write c.txt more' })
  await assert.rejects(session.redo(), /nothing to redo/i)
  await session.undo({ turns: 5 })
  assert.deepEqual(
    ['a.txt', 'b.txt', 'c.txt', 'kept.txt'].map((name) => existsSync(file(name))),
    [false, false, false, true],
  )
})

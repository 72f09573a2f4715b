import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { cp, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { shell, working } from '../../../test/support/at-work.ts'
import { converse, openHome, promptsOf, type Home } from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Engine } from '../engine.ts'

test('a fork takes back files of the turns that it took over, and brings them again; so does its own fork', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  const file = (name: string) => join(project, name)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await converse(engine, id, { prompt: 'write a.txt two' })
  await converse(engine, id, { prompt: 'delete kept.txt' })
  const child = await forkOf(engine, id)
  const grandchild = await forkOf(engine, child)
  for (const fork of [child, grandchild]) {
    const { restoredFiles, skippedFiles } = await (await engine.open(fork)).undo({ turns: 2 })
    assert.deepEqual(
      { restoredFiles: restoredFiles.toSorted(), skippedFiles },
      { restoredFiles: [file('a.txt'), file('kept.txt')], skippedFiles: [] },
    )
    assert.deepEqual(await textsIn(project), { 'a.txt': 'one', 'kept.txt': 'kept' })
    await (await engine.open(fork)).redo()
    assert.deepEqual(await textsIn(project), { 'a.txt': 'two' })
    assert.equal((await promptsOf(engine, fork)).length, 3)
  }
  await engine.remove([id, child], { now: true })
  await (await engine.open(grandchild)).undo({ turns: 3 })
  assert.deepEqual(await textsIn(project), { 'kept.txt': 'kept' })
})

test('contents that a fork shares with its source cost the home nothing', async () => {
  await using home = await openHome()
  const { engine, id } = await working(home)
  await converse(engine, id, { prompt: 'write kept.txt other' })
  const { recordedBytes } = await engine.copies()
  await forkOf(engine, id)
  assert.equal(recordedBytes, 'kept'.length + 'other'.length)
  assert.equal((await engine.copies()).recordedBytes, recordedBytes)
})

test('a fork leaves alone, and names, what its source or the user changed since', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await converse(engine, id, { prompt: 'write b.txt one' })
  const fork = await forkOf(engine, id)
  await converse(engine, id, { prompt: 'write a.txt two' })
  await writeFile(join(project, 'b.txt'), 'mine')
  const { restoredFiles, skippedFiles } = await (await engine.open(fork)).undo({ turns: 2 })
  assert.deepEqual(
    { restoredFiles, skippedFiles },
    {
      restoredFiles: [],
      skippedFiles: ['a.txt', 'b.txt'].map((name) => ({
        path: join(project, name),
        reason: 'user-modified',
      })),
    },
  )
  assert.deepEqual(await textsIn(project), { 'a.txt': 'two', 'b.txt': 'mine', 'kept.txt': 'kept' })
})

test('format §8.20: a fork before a turn holds nothing of it, and takes back what came before', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await converse(engine, id, { prompt: 'write b.txt later' })
  const [last] = await (await engine.open(id)).rewindPoints()
  const { sessionId } = await (await engine.open(id)).fork({ before: last!.eventId })
  assert.deepEqual(await contentsIn(home, sessionId), ['one'])
  assert.deepEqual((await (await engine.open(sessionId)).undo()).restoredFiles, [
    join(project, 'a.txt'),
  ])
  assert.deepEqual(await textsIn(project), { 'b.txt': 'later', 'kept.txt': 'kept' })
})

test('format §8.20: a fork takes over no file of a turn that its source has undone, and undoes what came before it', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await converse(engine, id, { prompt: 'write a.txt undone' })
  await (await engine.open(id)).undo()
  await (await engine.open(id)).redo()
  await converse(engine, id, { prompt: 'write a.txt too' })
  await (await engine.open(id)).undo({ turns: 2 })
  const fork = await forkOf(engine, id)
  assert.deepEqual(await contentsIn(home, fork), ['one'])
  await (await engine.open(fork)).undo()
  assert.equal(existsSync(join(project, 'a.txt')), false)
  await (await engine.open(fork)).redo()
  assert.deepEqual(await textsIn(project), { 'a.txt': 'one', 'kept.txt': 'kept' })
})

test("an undo in a fork takes its own plan and files back, and leaves the source's", async () => {
  await using home = await openHome()
  const { engine, id } = await working(home)
  const plan = (of: SessionId) => readFile(join(home.path, 'session-state', of, 'plan.md'), 'utf8')
  await converse(engine, id, { prompt: 'write a.txt one' })
  await (await engine.open(id)).writePlan('first')
  await converse(engine, id, { prompt: 'write a.txt two' })
  await (await engine.open(id)).writePlan('second')
  const fork = await forkOf(engine, id)
  await (await engine.open(fork)).undo()
  assert.deepEqual([await plan(fork), await plan(id)], ['first', 'second'])
})

test('what another home recorded stays foreign in a fork', async () => {
  await using there = await openHome()
  const foreign = await working(there)
  await converse(foreign.engine, foreign.id, { prompt: 'write a.txt one' })
  await (await foreign.engine.open(foreign.id)).close()
  await using home = await openHome()
  const folder = (of: Home) => join(of.path, 'session-state', foreign.id)
  await cp(folder(there), folder(home), { recursive: true })
  const engine = home.engine({ script: shell(foreign.project), trackFiles: true })
  const fork = await forkOf(engine, foreign.id)
  const { restoredFiles, foreignFiles } = await (await engine.open(fork)).undo()
  assert.deepEqual({ restoredFiles, foreignFiles }, { restoredFiles: [], foreignFiles: ['a.txt'] })
  assert.equal(await readFile(join(foreign.project, 'a.txt'), 'utf8'), 'one')
})

test('a session that comes back from the trash takes its files back', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write kept.txt other' })
  await engine.remove([id])
  await engine.restore(id)
  await (await engine.open(id)).undo()
  assert.deepEqual(await textsIn(project), { 'kept.txt': 'kept' })
  await (await engine.open(id)).redo()
  assert.deepEqual(await textsIn(project), { 'kept.txt': 'other' })
})

test('blame names the session in which a line was written, and not its forks', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt first' })
  const fork = await forkOf(engine, id)
  await converse(engine, fork, { prompt: 'write b.txt mine' })
  const blamed = async (file: string) => {
    const [line] = await engine.blame({ file, cwd: project })
    return line?.by.kind === 'turn' && { session: line.by.sessionId, prompt: line.by.prompt }
  }
  assert.deepEqual(await blamed('a.txt'), { session: id, prompt: 'write a.txt first' })
  assert.deepEqual(await blamed('b.txt'), { session: fork, prompt: 'write b.txt mine' })
})

const forkOf = async (engine: Engine, id: SessionId): Promise<SessionId> =>
  (await (await engine.open(id)).fork()).sessionId

async function textsIn(folder: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const name of (await readdir(folder)).toSorted())
    texts[name] = await readFile(join(folder, name), 'utf8')
  return texts
}

/** Contents of files that lie in the session's own record. */
async function contentsIn(home: Home, id: SessionId): Promise<string[]> {
  const folder = join(home.path, 'session-state', id, '.reprise/files/blobs')
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes('/'))
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

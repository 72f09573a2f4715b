/** The record of changed files, damaged: what it does not tell any more is left alone and named, never passed over. */
import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { shell, working } from '../../../test/support/at-work.ts'
import {
  callTool,
  converse,
  endTool,
  openHome,
  say,
  startTool,
  type Home,
  type Script,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { filesTold } from './rewound-words.ts'

type Damage = (text: string) => string
const lines = (text: string) => text.split('\n').slice(0, -1)
const joined = (all: readonly string[]) => all.map((line) => `${line}\n`).join('')

const damages: Readonly<Record<string, Damage>> = {
  empty: () => '',
  'cut behind the first line': (text) => joined(lines(text).slice(0, 1)),
  'cut in the last line': (text) => text.slice(0, -40),
  'without a line of the turn': (text) => joined(lines(text).filter((_, index) => index !== 1)),
  'altered in the turn': (text) => text.replace('"size":3', '"size":4'),
}

for (const [name, damage] of Object.entries(damages))
  test(`format §8.25: the record is ${name}: undo says that it does not know, also after the next turn`, async () => {
    await using home = await openHome()
    const { id, project, path } = await worked(home)
    await writeFile(path, damage(await readFile(path, 'utf8')))
    const engine = home.engine({ trackFiles: true, script: shell(project) })
    const session = await engine.open(id)
    const told = filesTold(await session.undo({ turns: 2 }))
    assert.match(told, /The record of changed files is damaged|Left alone: .*a\.txt/)
    assert.doesNotMatch(told, /No file had to be changed/)
    assert.equal((await engine.doctor(id)).healthy, false)
    await converse(engine, id, { prompt: 'write b.txt later' })
    await session.close()
    assert.equal((await engine.doctor(id)).healthy, false)
  })

test('an edit that a tool told and no line records is left alone by name, and the rest is taken back', async () => {
  await using home = await openHome()
  const { project } = await working(home)
  const engine = home.engine({ trackFiles: true, script: editor(project) })
  const { id } = await engine.create({ cwd: project })
  await converse(engine, id, { prompt: 'a.txt one' })
  await converse(engine, id, { prompt: 'b.txt one' })
  await (await engine.open(id)).close()
  const files = join(home.path, 'session-state', id, '.reprise/files')
  const text = await readFile(join(files, 'changes.jsonl'), 'utf8')
  await writeFile(join(files, 'changes.jsonl'), joined(lines(text).slice(1)))
  // As in a session of an earlier version: nothing says where the record ends.
  await rm(join(files, 'changes.end'))
  const result = await (await engine.open(id)).undo({ turns: 2 })
  assert.deepEqual(result.skippedFiles, [
    { path: join(project, 'a.txt'), reason: 'skipped-capture' },
  ])
  assert.deepEqual(result.restoredFiles, [join(project, 'b.txt')])
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'one')
})

test('a redo whose line is gone from the record changes nothing and names the record', async () => {
  await using home = await openHome()
  const { id, project, path } = await worked(home)
  const engine = home.engine({ trackFiles: true })
  const session = await engine.open(id)
  await session.undo()
  await session.close()
  await writeFile(path, joined(lines(await readFile(path, 'utf8')).slice(0, -1)))
  await assert.rejects((await engine.open(id)).redo(), {
    code: 'corrupt',
    message: /changes\.jsonl/,
  })
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'two')
})

test('white space and an end that lags behind change nothing', async () => {
  await using home = await openHome()
  const { id, project, path } = await worked(home)
  const end = path.replace('.jsonl', '.end')
  const early = await readFile(end)
  const engine = home.engine({ trackFiles: true, script: shell(project) })
  await converse(engine, id, { prompt: 'write a.txt four' })
  await (await engine.open(id)).close()
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"changes":[', '"changes": ['))
  await writeFile(end, early)
  assert.deepEqual((await engine.doctor(id)).ailments, [])
  const { restoredFiles } = await (await engine.open(id)).undo({ turns: 4 })
  assert.deepEqual(restoredFiles, [join(project, 'a.txt')])
})

async function worked(home: Home): Promise<{ id: SessionId; project: string; path: string }> {
  const { engine, project, id } = await working(home)
  for (const text of ['one', 'two', 'six'])
    await converse(engine, id, { prompt: `write a.txt ${text}` })
  await (await engine.open(id)).close()
  const path = join(home.path, 'session-state', id, '.reprise/files/changes.jsonl')
  return { id, project, path }
}

/** "<file> <text>", by a tool that tells its edits. */
const editor = (project: string): Script =>
  async function* (turn) {
    const [name = '', text = ''] = turn.message.content.split(' ')
    const toolCallId = crypto.randomUUID()
    yield callTool(toolCallId, 'create')
    yield startTool(toolCallId, 'create', { path: join(project, name), file_text: text })
    await mkdir(project, { recursive: true })
    await writeFile(join(project, name), text)
    yield endTool(toolCallId)
    yield say('done')
  }

import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  callTool,
  converse,
  endTool,
  openHome,
  promptsOf,
  say,
  startTool,
  type Home,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { filesTold } from './rewound-words.ts'

/** As versions before there were seals wrote it, and with a seal that another home made. */
const foreignForms = {
  'without a seal': (intent: object) => JSON.stringify({ version: 1, ...intent }),
  'with a seal of elsewhere': (intent: object) =>
    `${JSON.stringify({ seal: '0'.repeat(64) })}\n${JSON.stringify(intent)}\n`,
}

for (const [form, written] of Object.entries(foreignForms)) {
  test(`format §8.18: an intent ${form} that came with the session is not acted on, and is named`, async () => {
    await using home = await openHome()
    const { engine, project, id } = await working(home)
    await writeFile(join(project, 'data'), 'precious')
    await chmod(join(project, 'kept.txt'), 0o600)
    const { ino } = statSync(join(project, 'data'))
    const steps = [
      { act: 'mode', path: 'kept.txt', type: 'file', from: 0o666, to: 0o600 },
      { act: 'rmdir', path: 'planted', mode: 0o777 },
      { act: 'place', path: 'data', slot: '0.new', ino },
    ]
    await (await engine.open(id)).close()
    const planted = written({ id, root: project, steps })
    await writeFile(intentOf(home, id), planted)
    const { healthy, ailments } = await engine.doctor(id)
    assert.deepEqual(
      { healthy, layers: ailments.map(({ layer }) => layer) },
      { healthy: false, layers: ['files'] },
    )
    assert.match(ailments[0]?.message ?? '', /this home did not write/)
    await converse(engine, id, { prompt: 'two' })
    assert.equal(statSync(join(project, 'kept.txt')).mode & 0o777, 0o600)
    assert.equal(existsSync(join(project, 'planted')), false)
    assert.equal(await readFile(join(project, 'data'), 'utf8'), 'precious')
    assert.equal(existsSync(intentOf(home, id)), false)
    const aside = intentOf(home, id).replace('restore.json', 'restore-foreign.json')
    assert.equal(await readFile(aside, 'utf8'), planted)
  })
}

test('format §8.19: a whole session from another home keeps its words, and its files are not touched by it', async () => {
  await using there = await openHome()
  const foreign = await working(there)
  await (await foreign.engine.open(foreign.id)).close()
  await using home = await openHome()
  const { engine } = await working(home)
  await cp(sessionOf(there, foreign.id), sessionOf(home, foreign.id), { recursive: true })
  const session = await engine.open(foreign.id)
  const result = await session.undo()
  assert.deepEqual([result.restoredFiles, result.foreignFiles], [[], ['new.txt']])
  assert.equal(
    filesTold(result),
    '1 file of what was taken back is not in this home, because the session came from another: new.txt was left alone.',
  )
  assert.equal(await readFile(join(foreign.project, 'new.txt'), 'utf8'), 'one')
  assert.deepEqual(await promptsOf(engine, foreign.id), [])
})

const sessionOf = (home: Home, id: SessionId) => join(home.path, 'session-state', id)
const intentOf = (home: Home, id: SessionId) =>
  join(sessionOf(home, id), '.reprise/files/restore.json')

/** A session with one turn, whose tool wrote a file. */
async function working(home: Home) {
  const project = join(home.path, 'project')
  await mkdir(project)
  await writeFile(join(project, 'kept.txt'), 'kept')
  const engine = home.engine({
    trackFiles: true,
    async *script({ message: { content } }) {
      const toolCallId = crypto.randomUUID()
      yield callTool(toolCallId)
      yield startTool(toolCallId, 'bash', { command: content })
      await writeFile(join(project, 'new.txt'), content)
      yield endTool(toolCallId)
      yield say('done')
    },
  })
  const { id } = await engine.create({ cwd: project })
  await converse(engine, id, { prompt: 'one' })
  return { engine, project, id }
}

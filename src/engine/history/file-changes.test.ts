import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { working } from '../../../test/support/at-work.ts'
import { converse, endTool, openHome, startTool } from '../../../test/support/engine.ts'
import { EngineError } from '../errors.ts'

const textOf = (side: { kind: string; text?: string }) => side.text ?? side.kind

test('a turn, the session and a rewind each tell their files, with both contents', async () => {
  await using home = await openHome()
  const { engine, id } = await working(home)
  for (const prompt of ['write a.txt one', 'write a.txt two', 'delete kept.txt'])
    await converse(engine, id, { prompt })
  const session = await engine.open(id)
  const [third, second, first] = await session.rewindPoints()
  const told = async (scope: Parameters<typeof session.changes>[0]) =>
    Promise.all(
      (await session.changes(scope)).files.map(async ({ path, of, change }) => {
        const { before, after } = await session.changedFile(scope, { path, of })
        return [path, change, textOf(before), textOf(after)]
      }),
    )
  assert.deepEqual(await told({ kind: 'turn', eventId: first!.eventId }), [
    ['a.txt', 'created', 'absent', 'one'],
  ])
  assert.deepEqual(await told({ kind: 'turn', eventId: second!.eventId }), [
    ['a.txt', 'modified', 'one', 'two'],
  ])
  assert.deepEqual(await told({ kind: 'session' }), [
    ['a.txt', 'created', 'absent', 'two'],
    ['kept.txt', 'deleted', 'kept', 'absent'],
  ])
  assert.deepEqual(await told({ kind: 'rewind', eventId: second!.eventId }), [
    ['a.txt', 'modified', 'two', 'one'],
    ['kept.txt', 'created', 'absent', 'kept'],
  ])
  const { files } = await session.changes({ kind: 'rewind', eventId: third!.eventId })
  assert.deepEqual(files, [
    {
      path: 'kept.txt',
      of: 'project',
      change: 'created',
      linesAdded: 1,
      linesRemoved: 0,
      verdict: 'restore',
    },
  ])
  await assert.rejects(
    session.changedFile({ kind: 'session' }, { path: '../x', of: 'project' }),
    (error: unknown) => error instanceof EngineError && error.code === 'not_found',
  )
})

test('a fork is compared with where it came from: what each did since they parted', async () => {
  await using home = await openHome()
  const { engine, id } = await working(home)
  await converse(engine, id, { prompt: 'write common.txt same' })
  await converse(engine, id, { prompt: 'write a.txt origin' })
  const session = await engine.open(id)
  const [last] = await session.rewindPoints()
  const { sessionId } = await session.fork({ before: last!.eventId })
  await converse(engine, sessionId, { prompt: 'write a.txt fork' })
  await converse(engine, sessionId, { prompt: 'write b.txt fork' })
  const fork = await engine.open(sessionId)
  const { files, origin } = await fork.changes({ kind: 'fork' })
  assert.equal(origin, id)
  assert.deepEqual(
    files.map(({ path, change }) => [path, change]),
    [
      ['a.txt', 'modified'],
      ['b.txt', 'created'],
    ],
  )
  const { before, after } = await fork.changedFile(
    { kind: 'fork' },
    { path: 'a.txt', of: 'project' },
  )
  assert.deepEqual([textOf(before), textOf(after)], ['origin', 'fork'])
  await assert.rejects(session.changes({ kind: 'fork' }), /no fork/)
})

test('one file goes back to before a turn, the others and the conversation stay', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  for (const prompt of ['write a.txt one', 'write a.txt two', 'write b.txt two'])
    await converse(engine, id, { prompt })
  const session = await engine.open(id)
  const points = await session.rewindPoints()
  const { eventId } = points[1]!
  assert.deepEqual(await session.restoreFile({ eventId, path: 'a.txt' }), {
    path: 'a.txt',
    outcome: 'restored',
  })
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'one')
  assert.equal(await readFile(join(project, 'b.txt'), 'utf8'), 'two')
  assert.equal((await session.rewindPoints()).length, 3)
  const { events } = await session.events()
  assert.match(JSON.stringify(events.at(-1)), /restored a.txt to what it was before turn 2/)
  // A rewind of everything still knows the way back.
  await session.undo({ turns: 3 })
  assert.equal(existsSync(join(project, 'a.txt')), false)
})

test('a file that others changed since is not restored', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await writeFile(join(project, 'a.txt'), 'mine')
  const session = await engine.open(id)
  const [point] = await session.rewindPoints()
  const { eventId } = point!
  await assert.rejects(session.restoreFile({ eventId, path: 'a.txt' }), /outside this session/)
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'mine')
})

test('of a turn without a record its tools tell: listed, shown, blamed, never restored', async () => {
  await using home = await openHome()
  const { project } = await working(home)
  const edit = { path: join(project, 'sub/told.ts'), old_str: 'was', new_str: 'is' }
  const engine = home.engine({
    trackFiles: false,
    script: async function* () {
      yield startTool('c1', 'create', { path: edit.path, file_text: 'was\nsame\n' })
      yield endTool('c1')
      yield startTool('c2', 'edit', edit)
      yield endTool('c2')
      yield startTool('c3', 'bash', { command: 'git diff' })
      yield endTool('c3', '--- a/other\n+++ b/other\n@@ -1 +1 @@\n-a\n+b')
    },
  })
  const { id } = await engine.create({ cwd: project })
  await converse(engine, id, { prompt: 'go' })
  const session = await engine.open(id)
  const { eventId } = (await session.rewindPoints())[0]!
  const file = {
    path: 'sub/told.ts',
    of: 'project',
    change: 'created',
    linesAdded: 3,
    linesRemoved: 1,
    isTold: true,
  } as const
  for (const scope of [{ kind: 'session' }, { kind: 'turn', eventId }] as const) {
    assert.deepEqual(await session.changes(scope), { files: [file] })
    const { before, told } = await session.changedFile(scope, file)
    assert.equal(before.kind, 'unknown')
    assert.deepEqual(told, [
      { eventId, prompt: 'go', diff: '@@ -0,0 +1,2 @@\n+was\n+same' },
      { eventId, prompt: 'go', diff: '@@\n-was\n+is' },
    ])
  }
  assert.deepEqual((await session.changes({ kind: 'rewind', eventId })).files, [
    { ...file, verdict: 'notCovered' },
  ])
  await assert.rejects(session.restoreFile({ eventId, path: file.path }), /Nothing was changed/)
  // What was read is used again for as long as the log is the same, and no longer.
  await converse(engine, id, { prompt: 'again' })
  const all = await session.changedFile({ kind: 'session' }, file)
  assert.deepEqual(
    all.told?.map(({ prompt }) => prompt),
    ['go', 'go', 'again', 'again'],
  )
  assert.equal((await session.changedFile({ kind: 'turn', eventId }, file)).told?.length, 2)
})

test('a line that was seen is blamed where it stands now', async () => {
  await using home = await openHome()
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt mine' })
  await writeFile(join(project, 'a.txt'), 'above\nabove\nmine')
  const blamed = async (text: string) =>
    engine.blame({ file: 'a.txt', cwd: project, lines: { from: 1, to: 1 }, text })
  const [there] = await blamed('mine')
  assert.deepEqual([there?.line, there?.by.kind], [3, 'turn'])
  const [gone] = await blamed('no more')
  assert.deepEqual(gone?.by, { kind: 'unknown', reason: 'The line is not in the file any more.' })
})

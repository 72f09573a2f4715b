import assert from 'node:assert/strict'
import { appendFile, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { converse, eventsOf, openHome, promptsOf, type Home } from '../../../test/support/engine.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { EngineError } from '../errors.ts'

test('a fork is a session of its own with the same beginning, and both know of each other', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create({ name: 'work' })
  await converse(engine, id, { prompt: 'one' })
  const source = await eventsOf(engine, id)
  const forked = await (await engine.open(id)).fork()
  assert.equal(forked.name, 'work (fork)')
  assert.equal(forked.sourceNoted, true)
  const copy = await eventsOf(engine, forked.sessionId)
  assert.deepEqual(copy.slice(1, -1), source.slice(1))
  assert.deepEqual(
    copy.map(({ id: eventId }) => eventId).slice(0, -1),
    source.map(({ id: eventId }) => eventId),
  )
  assert.equal((copy[0]!.data as { sessionId: string }).sessionId, forked.sessionId)
  assert.deepEqual(copy.at(-1)?.data, { infoType: 'fork', message: `Forked from session ${id}.` })
  const told = (await eventsOf(engine, id)).at(-1)
  assert.deepEqual(told?.data, {
    infoType: 'fork',
    message: `Forked to session ${forked.sessionId}.`,
  })
  assert.equal((await (await engine.open(id)).metadata()).forkCount, 1)
  const origins = new Map((await engine.list()).map((each) => [each.id, each.forkedFrom]))
  assert.equal(origins.get(forked.sessionId), id)
  assert.equal(origins.get(id), undefined)
  await converse(engine, forked.sessionId, { prompt: 'other' })
  assert.deepEqual(await promptsOf(engine, id), ['one'])
  assert.deepEqual(await promptsOf(engine, forked.sessionId), ['one', 'other'])
})

test('a fork before an event leaves out what did not exist yet', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  await (await engine.open(id)).writeFile('files/early.md', Buffer.from('early'))
  await converse(engine, id, { prompt: 'two' })
  const [two] = await (await engine.open(id)).rewindPoints()
  await (await engine.open(id)).writePlan('- [ ] later')
  await (await engine.open(id)).writeFile('files/late.md', Buffer.from('late'))
  await (await engine.open(id)).compact()
  const { sessionId } = await (
    await engine.open(id)
  ).fork({ before: two!.eventId, name: 'earlier' })
  assert.deepEqual(await promptsOf(engine, sessionId), ['one'])
  assert.deepEqual(
    (await (await engine.open(sessionId)).files()).map(({ path }) => path),
    ['files/early.md'],
  )
  assert.equal(await (await engine.open(sessionId)).readPlan(), undefined)
  assert.deepEqual(await (await engine.open(sessionId)).checkpoints(), [])
  assert.deepEqual(
    {
      name: (await (await engine.open(sessionId)).metadata()).name,
      userNamed: (await (await engine.open(sessionId)).metadata()).userNamed,
    },
    { name: 'earlier', userNamed: true },
  )
})

test('a whole fork has plan, files and checkpoints, and its checkpoint paths are its own', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  await (await engine.open(id)).writePlan('- [ ] plan')
  await (await engine.open(id)).compact()
  const { sessionId } = await (await engine.open(id)).fork()
  assert.equal(await (await engine.open(sessionId)).readPlan(), '- [ ] plan')
  assert.equal(
    await (await engine.open(sessionId)).readCheckpoint(1),
    await (await engine.open(id)).readCheckpoint(1),
  )
  const complete = (await eventsOf(engine, sessionId)).find(
    ({ type }) => type === 'session.compaction_complete',
  )
  const { checkpointPath } = complete!.data as { checkpointPath: string }
  assert.ok(checkpointPath.startsWith(folder(home, sessionId)), checkpointPath)
})

test('lines of unknown type and unknown fields are copied byte for byte', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  await (await engine.open(id)).close()
  const parentId = (await eventsOf(engine, id)).at(-1)?.id
  const strange = `{"type":"future.thing","data":{"n":1.0,"big":12345678901234567890,"s":"\u2028 ${id}"},"id":"x-1","timestamp":"2026-01-01T00:00:00.000Z","parentId":"${parentId}","extra" : [ 1 ]}\n`
  await appendFile(join(folder(home, id), 'events.jsonl'), strange)
  const { sessionId } = await (await engine.open(id)).fork()
  const text = await readFile(join(folder(home, sessionId), 'events.jsonl'), 'utf8')
  assert.ok(text.includes(strange))
})

test('a fork before an unknown or the first event is refused and leaves nothing behind', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  const before = (await readdir(join(home.path, 'session-state'))).sort()
  const [start] = await eventsOf(engine, id)
  await assert.rejects(
    (await engine.open(id)).fork({ before: 'nope' as EventId }),
    hasCode('not_found'),
  )
  await assert.rejects((await engine.open(id)).fork({ before: start!.id }), hasCode('invalid'))
  await assert.rejects((await engine.open(id)).fork({ name: 'a\u0007b' }), hasCode('invalid'))
  assert.deepEqual((await readdir(join(home.path, 'session-state'))).sort(), before)
})

const hasCode = (code: string) => (error: unknown) =>
  error instanceof EngineError && error.code === code
const folder = (home: Home, id: SessionId) => join(home.path, 'session-state', id)

test('what was taken back before the session went on is a branch, and a fork brings it back', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  const session = await engine.open(id)
  for (const prompt of ['one', 'two', 'three']) await converse(engine, id, { prompt })
  await session.undo()
  await converse(engine, id, { prompt: 'four' })
  // The branch that begins behind "two" hangs on a part that is taken back itself.
  await session.undo({ turns: 2 })
  await converse(engine, id, { prompt: 'five' })
  const branches = await session.rewoundBranches()
  assert.deepEqual(
    branches.map(({ number, prompt, turns }) => ({ number, prompt, turns })),
    [
      { number: 2, prompt: 'two', turns: 2 },
      { number: 1, prompt: 'three', turns: 1 },
    ],
  )
  const promptsIn = async (rewound: number) => {
    const { sessionId } = await session.fork({ rewound })
    return promptsOf(engine, sessionId)
  }
  assert.deepEqual(await promptsIn(2), ['one', 'two', 'four'])
  assert.deepEqual(await promptsIn(1), ['one', 'two', 'three'])
  assert.deepEqual(await promptsOf(engine, id), ['one', 'five'])
  await assert.rejects(session.fork({ rewound: 7 }), /Nothing was forked/)
})

test('a branch is whole for every reader: its chain has no break, and it goes on', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  const session = await engine.open(id)
  for (const prompt of ['one', 'two']) await converse(engine, id, { prompt })
  await session.undo()
  await converse(engine, id, { prompt: 'other' })
  const { sessionId } = await session.fork({ rewound: 1 })
  assert.deepEqual((await engine.doctor(sessionId)).ailments, [])
  await converse(engine, sessionId, { prompt: 'three' })
  assert.deepEqual(await promptsOf(engine, sessionId), ['one', 'two', 'three'])
})

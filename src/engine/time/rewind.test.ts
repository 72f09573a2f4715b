import assert from 'node:assert/strict'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventsOf, openHome, promptsOf } from '../../../test/support/engine.ts'
import type { Home } from '../../../test/support/engine.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { Engine } from '../engine.ts'
import { EngineError } from '../errors.ts'
import type { FeedItem } from '../live/feed.ts'

test('a rewind removes the message and all after it; a redo brings back the same bytes', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two', 'three'])
  const before = await logOf(home, id)
  const [, two] = (await engine.rewindPoints(id)).toReversed()
  const result = await engine.rewind(id, two!.eventId)
  assert.equal(result.eventsRemoved, 8)
  assert.equal(result.turnsRemoved, 2)
  assert.deepEqual(await promptsOf(engine, id), ['one'])
  assert.equal((await engine.redo(id)).eventsRestored, 8)
  assert.deepEqual(await logOf(home, id), before)
})

test('undo takes back turns, redo gives them back one rewind at a time', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two', 'three', 'four'])
  await engine.undo(id)
  await engine.undo(id, { turns: 2 })
  assert.deepEqual(await promptsOf(engine, id), ['one'])
  await engine.redo(id)
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two', 'three'])
  await engine.redo(id)
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two', 'three', 'four'])
  await assert.rejects(engine.redo(id), hasCode('conflict'))
})

test('the state after a rewind and a redo is what a fresh process folds', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two', 'three'])
  await engine.undo(id)
  assert.deepEqual(await engine.state(id), await stateFromScratch(home, id))
  await engine.redo(id)
  assert.deepEqual(await engine.state(id), await stateFromScratch(home, id))
})

test('a redo is refused once the session has gone on, and what was removed stays aside', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two'])
  await engine.undo(id)
  await engine.send(id, { prompt: 'other' })
  await assert.rejects(engine.redo(id), hasCode('conflict'))
  assert.deepEqual(await promptsOf(engine, id), ['one', 'other'])
  const aside = await readdir(join(folder(home, id), '.reprise', 'rewound'))
  assert.ok(aside.includes('001.jsonl'))
})

test('an unknown event is a clear error and changes nothing', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one'])
  const before = await logOf(home, id)
  await assert.rejects(engine.rewind(id, crypto.randomUUID() as EventId), hasCode('not_found'))
  await assert.rejects(engine.undo(id, { turns: 5 }), hasCode('invalid'))
  const [start] = await eventsOf(engine, id)
  await assert.rejects(engine.rewind(id, start!.id), hasCode('invalid'))
  assert.deepEqual(await logOf(home, id), before)
})

test('checkpoints follow a rewind and a redo', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two'])
  await engine.compact(id)
  await engine.send(id, { prompt: 'three' })
  const text = await engine.readCheckpoint(id, 1)
  const before = await engine.checkpoints(id)
  await engine.undo(id, { turns: 2 })
  assert.deepEqual(await engine.checkpoints(id), [])
  assert.equal((await engine.metadata(id)).checkpoints, 0)
  await engine.redo(id)
  assert.deepEqual(await engine.checkpoints(id), before)
  assert.equal(await engine.readCheckpoint(id, 1), text)
})

test('those who follow are told of the cut and go on without gap or repeat', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two'])
  const items: string[] = []
  const abort = new AbortController()
  const following = (async () => {
    for await (const item of engine.follow(id, { signal: abort.signal })) {
      if (item.kind === 'notice' && item.notice.type !== 'session.snapshot_rewind') continue
      items.push(nameOf(item))
      if (nameOf(item) === 'prompt other') abort.abort()
    }
  })()
  await engine.undo(id)
  await engine.send(id, { prompt: 'other' })
  await following
  assert.deepEqual(
    items.filter((name) => /^(prompt|reset|session.snapshot)/.test(name)),
    ['prompt one', 'prompt two', 'reset', 'session.snapshot_rewind', 'prompt other'],
  )
})

test('a rewind in one process is seen by another that has the session open', async () => {
  await using home = await openHome()
  const writer = home.engine()
  const id = await talk(writer, ['one', 'two'])
  const observer = home.engine()
  assert.equal((await observer.state(id)).turns.length, 2)
  await writer.undo(id)
  assert.equal((await observer.state(id)).turns.length, 1)
  assert.deepEqual(await observer.state(id), await stateFromScratch(home, id))
})

const hasCode = (code: string) => (error: unknown) =>
  error instanceof EngineError && error.code === code

const folder = (home: Home, id: SessionId) => join(home.path, 'session-state', id)
const logOf = (home: Home, id: SessionId) => readFile(join(folder(home, id), 'events.jsonl'))

function nameOf(item: FeedItem): string {
  if (item.kind === 'reset') return 'reset'
  if (item.kind === 'notice') return item.notice.type
  const { event } = item
  if ('stranger' in event || event.type !== 'user.message') return event.type
  return `prompt ${event.data.content}`
}

async function talk(engine: Engine, prompts: readonly string[]): Promise<SessionId> {
  const id = await engine.create()
  for (const prompt of prompts) await engine.send(id, { prompt })
  return id
}

async function stateFromScratch(home: Home, id: SessionId) {
  await rm(join(folder(home, id), '.reprise', 'snapshot.json'), { force: true })
  return home.engine().state(id)
}

test('a process that rewinds and ends leaves the redo to the next one', async () => {
  await using home = await openHome()
  const first = home.engine()
  const id = await talk(first, ['one', 'two'])
  await first.undo(id)
  await first.close(id)
  const second = home.engine()
  await second.redo(id)
  assert.deepEqual(await promptsOf(second, id), ['one', 'two'])
})

test('a name that came from the first prompt goes and comes with it; a given name stays', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['secret plan'])
  await engine.undo(id)
  assert.equal((await engine.metadata(id)).name, undefined)
  await engine.redo(id)
  assert.equal((await engine.metadata(id)).name, 'secret plan')
  await engine.rename(id, 'mine')
  await engine.undo(id)
  assert.equal((await engine.metadata(id)).name, 'mine')
})

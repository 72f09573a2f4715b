import assert from 'node:assert/strict'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { converse, eventsOf, openHome, promptsOf, type Home } from '../../../test/support/engine.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { Engine } from '../engine.ts'
import { EngineError } from '../errors.ts'
import type { FeedItem } from '../live/feed.ts'

test('a rewind removes the message and all after it; a redo brings back the same bytes', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two', 'three'])
  const before = await logOf(home, id)
  const [, two] = (await (await engine.open(id)).rewindPoints()).toReversed()
  const result = await (await engine.open(id)).rewind(two!.eventId)
  assert.equal(result.eventsRemoved, 8)
  assert.equal(result.eventsKept, (await (await engine.open(id)).events()).events.length)
  assert.equal(result.turnsRemoved, 2)
  assert.deepEqual(await promptsOf(engine, id), ['one'])
  assert.equal((await (await engine.open(id)).redo()).eventsRestored, 8)
  assert.deepEqual(await logOf(home, id), before)
})

test('undo takes back turns, redo gives them back one rewind at a time', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two', 'three', 'four'])
  await (await engine.open(id)).undo()
  await (await engine.open(id)).undo({ turns: 2 })
  assert.deepEqual(await promptsOf(engine, id), ['one'])
  await (await engine.open(id)).redo()
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two', 'three'])
  await (await engine.open(id)).redo()
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two', 'three', 'four'])
  await assert.rejects((await engine.open(id)).redo(), hasCode('conflict'))
})

test('the state after a rewind and a redo is what a fresh process folds', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two', 'three'])
  await (await engine.open(id)).undo()
  assert.deepEqual(await (await engine.open(id)).state(), await stateFromScratch(home, id))
  await (await engine.open(id)).redo()
  assert.deepEqual(await (await engine.open(id)).state(), await stateFromScratch(home, id))
})

test('a redo is refused once the session has gone on, and what was removed stays aside', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two'])
  await (await engine.open(id)).undo()
  await converse(engine, id, { prompt: 'other' })
  await assert.rejects((await engine.open(id)).redo(), hasCode('conflict'))
  assert.deepEqual(await promptsOf(engine, id), ['one', 'other'])
  const aside = await readdir(join(folder(home, id), '.reprise', 'rewound'))
  assert.ok(aside.includes('001.jsonl'))
})

test('an unknown event is a clear error and changes nothing', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one'])
  const before = await logOf(home, id)
  await assert.rejects(
    (await engine.open(id)).rewind(crypto.randomUUID() as EventId),
    hasCode('not_found'),
  )
  await assert.rejects((await engine.open(id)).undo({ turns: 5 }), hasCode('invalid'))
  const [start] = await eventsOf(engine, id)
  await assert.rejects((await engine.open(id)).rewind(start!.id), hasCode('invalid'))
  assert.deepEqual(await logOf(home, id), before)
})

test('checkpoints follow a rewind and a redo', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two'])
  await (await engine.open(id)).compact()
  await converse(engine, id, { prompt: 'three' })
  const text = await (await engine.open(id)).readCheckpoint(1)
  const before = await (await engine.open(id)).checkpoints()
  await (await engine.open(id)).undo({ turns: 2 })
  assert.deepEqual(await (await engine.open(id)).checkpoints(), [])
  assert.equal((await (await engine.open(id)).metadata()).checkpoints, 0)
  await (await engine.open(id)).redo()
  assert.deepEqual(await (await engine.open(id)).checkpoints(), before)
  assert.equal(await (await engine.open(id)).readCheckpoint(1), text)
})

test('those who follow are told of the cut and go on without gap or repeat', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two'])
  const items: string[] = []
  const abort = new AbortController()
  const following = (async () => {
    for await (const item of (await engine.open(id)).follow({ signal: abort.signal })) {
      if (item.kind === 'notice' && item.notice.type !== 'session.snapshot_rewind') continue
      items.push(nameOf(item))
      if (nameOf(item) === 'prompt other') abort.abort()
    }
  })()
  await (await engine.open(id)).undo()
  await converse(engine, id, { prompt: 'other' })
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
  assert.equal((await (await observer.open(id)).state()).turns.length, 2)
  await (await writer.open(id)).undo()
  assert.equal((await (await observer.open(id)).state()).turns.length, 1)
  assert.deepEqual(await (await observer.open(id)).state(), await stateFromScratch(home, id))
})

const hasCode = (code: string) => (error: unknown) =>
  error instanceof EngineError && error.code === code

const folder = (home: Home, id: SessionId) => join(home.path, 'session-state', id)
const logOf = (home: Home, id: SessionId) => readFile(join(folder(home, id), 'events.jsonl'))

function nameOf(item: FeedItem): string {
  if (item.kind === 'reset' || item.kind === 'live') return item.kind
  if (item.kind === 'notice') return item.notice.type
  const { event } = item
  if ('stranger' in event || event.type !== 'user.message') return event.type
  return `prompt ${event.data.content}`
}

async function talk(engine: Engine, prompts: readonly string[]): Promise<SessionId> {
  const { id } = await engine.create()
  for (const prompt of prompts) await converse(engine, id, { prompt })
  return id
}

async function stateFromScratch(home: Home, id: SessionId) {
  await rm(join(folder(home, id), '.reprise', 'snapshot.json'), { force: true })
  return (await home.engine().open(id)).state()
}

test('a process that rewinds and ends leaves the redo to the next one', async () => {
  await using home = await openHome()
  const first = home.engine()
  const id = await talk(first, ['one', 'two'])
  await (await first.open(id)).undo()
  await (await first.open(id)).close()
  const second = home.engine()
  await (await second.open(id)).redo()
  assert.deepEqual(await promptsOf(second, id), ['one', 'two'])
})

test('a name that came from the first prompt goes and comes with it; a given name stays', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['secret plan'])
  await (await engine.open(id)).undo()
  assert.equal((await (await engine.open(id)).metadata()).name, undefined)
  await (await engine.open(id)).redo()
  assert.equal((await (await engine.open(id)).metadata()).name, 'secret plan')
  await (await engine.open(id)).rename('mine')
  await (await engine.open(id)).undo()
  assert.equal((await (await engine.open(id)).metadata()).name, 'mine')
})

test('an undo that is said again after a kill says which turn had been taken back already', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two', 'three'])
  const first = await (await engine.open(id)).undo()
  assert.equal(first.alreadyTaken, undefined)
  await engine.stop()
  await leaveDeadHolder(join(home.path, 'session-state', id, '.reprise/lease'))
  const next = home.engine()
  const again = await (await next.open(id)).undo()
  assert.equal(again.alreadyTaken?.turn, 3)
  assert.ok(Date.parse(again.alreadyTaken.at) <= Date.now())
  assert.deepEqual(await promptsOf(next, id), ['one'])
  const third = await (await next.open(id)).undo()
  assert.equal(third.alreadyTaken, undefined)
})

test('of several that undo at once each takes a turn of its own back, or says that somebody did', async () => {
  await using home = await openHome()
  const id = await talk(home.engine(), ['one', 'two', 'three', 'four', 'five', 'six'])
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, async () => (await home.engine().open(id)).undo()),
  )
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const error of refused) {
    assert.ok(error instanceof EngineError, String(error))
    assert.equal(error.code, 'conflict', error.message)
    assert.match(error.message, /^Turn 6 of session .* was taken back meanwhile/)
  }
  assert.equal((await promptsOf(home.engine(), id)).length, 6 - (4 - refused.length))
})

/** The lease as a process leaves it that is killed: claimed, neither released nor beating. */
async function leaveDeadHolder(folder: string): Promise<void> {
  const claims = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const last = claims.at(-1)!
  const claim = JSON.parse(await readFile(join(folder, last), 'utf8')) as object
  const next = String(Number.parseInt(last, 10) + 1).padStart(10, '0')
  const dead = { ...claim, pid: 2 ** 22 + 1, startTime: '1', since: new Date().toISOString() }
  await writeFile(join(folder, `${next}.json`), JSON.stringify(dead))
}

/** Files that are kept beside the log may fail to be written. The log has the truth, and the session goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import type { FeedItem } from '../../src/engine/live/feed.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openMemory } from '../../src/fs/memory.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { converse, eventsOf, promptsOf, scripted } from '../support/engine.ts'

type World = {
  readonly engine: Engine
  readonly id: SessionId
  readonly fs: SessionFs
  fail(name: string): void
}

async function inWorld(action: (world: World) => Promise<void>): Promise<void> {
  let failing: string | undefined
  const memory = openMemory()
  const fs: SessionFs = {
    ...memory,
    writeAtomic: async (path, bytes, options) => {
      if (failing !== undefined && path.includes(failing)) throw new Error(`ENOSPC: ${path}`)
      await memory.writeAtomic(path, bytes, options)
    },
  }
  const engine = createEngine({ cwd: process.cwd(), fs, agent: scripted() })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'first' })
  await action({ engine, id, fs: memory, fail: (name) => (failing = name) })
  failing = undefined
  await engine.stop()
}

/** What followers are told while an action runs. */
async function watched(
  engine: Engine,
  id: SessionId,
  action: () => Promise<unknown>,
): Promise<readonly FeedItem[]> {
  const seen: FeedItem[] = []
  const stop = new AbortController()
  const feed = (await engine.open(id)).follow({ fromNow: true, signal: stop.signal })
  const following = (async () => {
    for await (const item of feed) seen.push(item)
  })()
  await (await engine.open(id)).state() // by now the follower listens
  await action()
  stop.abort()
  await following
  return seen
}

test('a turn is completed though workspace.yaml cannot be written, and the trouble is told', () =>
  inWorld(async ({ engine, id, fail }) => {
    fail('workspace.yaml')
    const seen = await watched(engine, id, async () => {
      assert.equal((await converse(engine, id, { prompt: 'second' })).status, 'completed')
    })
    assert.deepEqual(
      seen.flatMap((item) =>
        item.kind === 'notice' && item.notice.type === 'session.error'
          ? [item.notice.data.errorType]
          : [],
      ),
      ['persistence'],
    )
    assert.deepEqual((await eventsOf(engine, id)).at(-1)?.type, 'assistant.turn_end')
  }))

test('a turn, a rewind and a close are done though no snapshot can be written', () =>
  inWorld(async ({ engine, id, fail }) => {
    fail('snapshot.json')
    assert.equal((await converse(engine, id, { prompt: 'second' })).status, 'completed')
    await (await engine.open(id)).undo()
    assert.deepEqual(await promptsOf(engine, id), ['first'])
    await (await engine.open(id)).close()
    assert.deepEqual(await promptsOf(engine, id), ['first'])
  }))

test('followers learn of a rewind though the files beside the log cannot be brought into line', () =>
  inWorld(async ({ engine, id, fail }) => {
    await converse(engine, id, { prompt: 'second' })
    await (await engine.open(id)).compact()
    fail('checkpoints/')
    const seen = await watched(engine, id, async () =>
      (await engine.open(id)).undo().catch(() => {}),
    )
    assert.deepEqual(
      seen.map((item) => (item.kind === 'notice' ? item.notice.type : item.kind)),
      ['live', 'reset', 'session.snapshot_rewind'],
    )
  }))

test('a session whose process died before its first event was written can begin under the same id', async () => {
  const fs = openMemory()
  const id = crypto.randomUUID() as SessionId
  const file = await fs.openAppend(`session-state/${id}/events.jsonl`)
  await file.close()
  const engine = createEngine({ cwd: process.cwd(), fs, agent: scripted() })
  await engine.create({ sessionId: id })
  await converse(engine, id, { prompt: 'first' })
  assert.deepEqual(await promptsOf(engine, id), ['first'])
  await engine.stop()
})

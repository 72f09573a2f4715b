/** The operations that are cut short at every system call: how each begins, and what may be found afterwards. */
import assert from 'node:assert/strict'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, promptsOf } from '../support/engine.ts'
import type { Operation } from './operations.ts'
import { bytesOf, exists, withEngine } from './survivors.ts'

export type Scenario = {
  /** `create` is the first turn of a session that does not exist yet. */
  readonly operation: Operation | 'create'
  readonly prepare: (engine: Engine, id: SessionId) => Promise<void>
  readonly check: (found: Found) => Promise<void>
}

export type Found = {
  readonly home: string
  readonly id: SessionId
  /** The log as it was before the operation. */
  readonly before: Buffer
  /** The operation was acknowledged. */
  readonly isDone: boolean
}

async function threeTurns(engine: Engine, id: SessionId, more = ''): Promise<void> {
  await engine.create({ sessionId: id, name: 'crash test' })
  for (const prompt of ['first', 'second', `third ${more}`]) await converse(engine, id, { prompt })
}

const firstWords = async (engine: Engine, id: SessionId): Promise<readonly string[]> =>
  (await promptsOf(engine, id)).map((prompt) => prompt.split(' ')[0] ?? '')

/** Appended at most; not a byte of what was there is changed. */
async function requirePrefix({ home, id, before }: Found): Promise<void> {
  await withEngine(home, async (engine) => {
    assert.ok(
      (await bytesOf(engine, id)).subarray(0, before.length).equals(before),
      'the log was changed',
    )
  })
}

/** Whole under its own id, or whole in the trash. */
const requireMoved = (isThereWhenDone: boolean) =>
  async function check({ home, id, before, isDone }: Found): Promise<void> {
    await withEngine(home, async (engine) => {
      const isThere = await exists(engine, id)
      if (isDone) assert.equal(isThere, isThereWhenDone)
      assert.equal((await engine.trash()).length, isThere ? 0 : 1)
      if (!isThere) await engine.restore(id)
      assert.ok((await bytesOf(engine, id)).equals(before), 'the log was changed')
    })
  }

export const scenarios: readonly Scenario[] = [
  { operation: 'create', prepare: async () => {}, check: async () => {} },
  { operation: 'send', prepare: (engine, id) => threeTurns(engine, id), check: requirePrefix },
  {
    operation: 'undo',
    prepare: (engine, id) => threeTurns(engine, id),
    check: async ({ home, id, before, isDone }) =>
      withEngine(home, async (engine) => {
        const found = await bytesOf(engine, id)
        if (!found.equals(before)) {
          assert.deepEqual(await firstWords(engine, id), ['first', 'second'])
          assert.ok(before.subarray(0, found.length).equals(found), 'a rewind changed what it kept')
          await (await engine.open(id)).redo()
        } else assert.ok(!isDone, 'an acknowledged rewind did not happen')
        assert.ok((await bytesOf(engine, id)).equals(before), 'a rewind lost what it removed')
      }),
  },
  {
    operation: 'redo',
    prepare: async (engine, id) => {
      // More than is written in one call, so that it can stop half-way.
      await threeTurns(engine, id, 'x'.repeat(3_000_000))
      await (await engine.open(id)).close() // the end of a life is recorded, and nothing is redone behind it
      await (await engine.open(id)).undo()
    },
    check: async ({ home, id, before, isDone }) =>
      withEngine(home, async (engine) => {
        const found = await bytesOf(engine, id)
        if (found.equals(before)) {
          assert.ok(!isDone, 'an acknowledged redo did not happen')
          // Until the session is opened for writing an unfinished redo has not happened. Opening settles it,
          // one way or the other; then there may be nothing left to redo.
          await (await engine.open(id)).redo().catch(() => {})
        }
        assert.deepEqual(await firstWords(engine, id), ['first', 'second', 'third'])
        assert.ok(
          (await bytesOf(engine, id)).subarray(0, before.length).equals(before),
          'a redo changed what was there',
        )
      }),
  },
  {
    operation: 'fork',
    prepare: (engine, id) => threeTurns(engine, id),
    check: async (found) => {
      await requirePrefix(found)
      await withEngine(found.home, async (engine) => {
        const forks = (await engine.list()).filter(({ id }) => id !== found.id)
        assert.ok(
          forks.length === 1 || (forks.length === 0 && !found.isDone),
          'an acknowledged fork is not there',
        )
        for (const { id } of forks)
          assert.deepEqual(await firstWords(engine, id), ['first', 'second', 'third'])
      })
    },
  },
  {
    operation: 'compact',
    prepare: (engine, id) => threeTurns(engine, id),
    check: async (found) => {
      await requirePrefix(found)
      await withEngine(found.home, async (engine) => {
        for (const { number } of (await (await engine.open(found.id)).state()).compaction
          .checkpoints) {
          assert.notEqual(await (await engine.open(found.id)).readCheckpoint(number), '')
        }
      })
    },
  },
  {
    operation: 'remove',
    prepare: (engine, id) => threeTurns(engine, id),
    check: requireMoved(false),
  },
  {
    operation: 'restore',
    prepare: async (engine, id) => {
      await threeTurns(engine, id)
      await engine.remove([id])
    },
    check: requireMoved(true),
  },
]

/** The law of the store: however a log came to be what it is, the live index equals one made from it afresh. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { Draft } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { anyHistories, histories, texts } from '../histories.ts'
import { answered, gave, logOf, said } from '../log-of.ts'
import { converse, endTool, openHome, say, startTool, type Script } from '../support/engine.ts'
import { dumpStore } from '../support/store-dump.ts'

const ID = '11111111-1111-4111-8111-111111111111' as SessionId

/** A store in a folder of its own, beside the home. */
const storeIn = (home: string, name: string): Store =>
  createStore(openDisk(home), {
    cacheFolder: join(home, 'stores', name),
    isShared: () => true,
    onTrouble: (message) => assert.fail(message),
  })

async function equalsAfresh(home: string, live: Store): Promise<void> {
  await live.follower.settled()
  const liveDump = dumpStore((await live.path())!)
  const afresh = storeIn(home, `afresh-${crypto.randomUUID()}`)
  try {
    assert.deepEqual((await afresh.reindex()).failed, [])
    const once = dumpStore((await afresh.path())!)
    assert.deepEqual(liveDump, once)
    await afresh.reindex()
    assert.deepEqual(dumpStore((await afresh.path())!), once)
    await afresh.reindex({ force: true })
    assert.deepEqual(dumpStore((await afresh.path())!), once)
  } finally {
    await afresh.close()
  }
}

describe('the session store', () => {
  const grown = fc.array(
    fc.record({ keep: fc.integer({ min: 0, max: 100 }), take: fc.nat({ max: 40 }) }),
    { minLength: 2, maxLength: 4 },
  )

  it('is the same in whatever stretches a log was written, cut and written again', async () => {
    const anyHistory = fc.oneof(histories, anyHistories, { weight: 4, arbitrary: tangled })
    await fc.assert(
      fc.asyncProperty(fc.array(anyHistory, { minLength: 4, maxLength: 4 }), grown, playLog),
      { numRuns: 60 },
    )
  })

  async function playLog(
    logs: readonly (readonly { event: object }[])[],
    steps: readonly { keep: number; take: number }[],
  ): Promise<void> {
    const home = mkdtempSync(join(tmpdir(), 'reprise-law-'))
    const live = storeIn(home, 'live')
    try {
      const folder = join(home, 'session-state', ID)
      mkdirSync(folder, { recursive: true })
      const log = join(folder, 'events.jsonl')
      appendFileSync(log, `${startLine}\n`)
      const ends = [statSync(log).size]
      for (const [round, { keep, take }] of steps.entries()) {
        ends.length = Math.max(1, Math.ceil((ends.length * keep) / 100))
        truncateSync(log, ends.at(-1))
        for (const { event } of logs[round]!.slice(0, take)) {
          appendFileSync(log, `${JSON.stringify({ ...event, id: crypto.randomUUID() })}\n`)
          ends.push(statSync(log).size)
        }
        live.follower.changed(ID)
        await live.follower.settled()
      }
      await equalsAfresh(home, live)
    } finally {
      await live.close()
      rmSync(home, { recursive: true, force: true })
    }
  }

  const startLine = JSON.stringify({
    type: 'session.start',
    data: { sessionId: ID, version: 1, producer: 'p', copilotVersion: '1', startTime: 't' },
    id: 'first',
    timestamp: '2025-01-01T00:00:00.000Z',
    parentId: null,
  })

  it('follows whatever is done through the engine', async () => {
    const actions = fc.constantFrom(
      ...(['send', 'send', 'send', 'rewind', 'undo', 'redo', 'fork', 'delete', 'restore'] as const),
      ...(['rename', 'compact', 'plan', 'file', 'elsewhere'] as const),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(actions, fc.nat(), texts, fc.boolean()), { minLength: 3, maxLength: 14 }),
        playEngine,
      ),
      { numRuns: 25 },
    )
  })

  async function playEngine(
    steps: readonly (readonly [string, number, string, boolean])[],
  ): Promise<void> {
    await using home = await openHome()
    const engine = home.engine({ script: working })
    const other = home.engine({ script: working, clientName: 'other' })
    const live = storeIn(home.path, 'live')
    const { follower } = live
    const ids = [(await engine.create({ cwd: home.path })).id]
    try {
      for (const [action, number, text, settles] of steps) {
        const id = ids[number % ids.length]!
        await act({ action, number, text: text.trim() || 'more', id }).catch(refused)
        if (settles) await follower.settled()
      }
      await engine.stop()
      await other.stop()
      // Whoever closes a session writes its end.
      for (const id of ids) follower.changed(id)
      await equalsAfresh(home.path, live)
    } finally {
      await live.close()
    }

    async function act(step: { action: string; number: number; text: string; id: SessionId }) {
      const { action, number, text, id } = step
      switch (action) {
        case 'send':
          await converse(engine, id, { prompt: text })
          return follower.changed(id)
        case 'elsewhere':
          await (await engine.open(id)).close()
          await converse(other, id, { prompt: text })
          await (await other.open(id)).close()
          return follower.changed(id)
        case 'rewind': {
          const { events } = await (await engine.open(id)).events()
          const target = events[1 + (number % Math.max(1, events.length - 1))]
          if (target !== undefined) await (await engine.open(id)).rewind(target.id)
          return follower.changed(id)
        }
        case 'undo':
          await (await engine.open(id)).undo()
          return follower.changed(id)
        case 'redo':
          await (await engine.open(id)).redo()
          return follower.changed(id)
        case 'fork': {
          const { sessionId } = await (await engine.open(id)).fork()
          ids.push(sessionId)
          follower.changed(id)
          return follower.changed(sessionId)
        }
        case 'delete':
          await engine.remove([id])
          return follower.changed(id)
        case 'restore':
          await engine.restore(id)
          return follower.changed(id)
        case 'rename':
          await (await engine.open(id)).rename(`name ${number}`)
          return follower.changed(id)
        case 'compact':
          await (await engine.open(id)).compact()
          return follower.changed(id)
        case 'plan':
          await (await engine.open(id)).writePlan(text)
          return follower.changed(id)
        default:
          await (
            await engine.open(id)
          ).writeFile(`files/${number % 3}.md`, Buffer.from(text.toWellFormed()))
          return follower.changed(id)
      }
    }
  }
})

/** What the store has to untangle: calls that end turns later or twice, places, numbers and files that come again. */
const tangled = fc
  .array(
    fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 8 })).map(([number, kind]): Draft => {
      const call = { toolCallId: `call-${number}` }
      switch (kind) {
        case 0:
        case 1:
          return said(`prompt ${number} https://github.com/o/r/pull/${number}`)
        case 2:
          return answered(`parseSummary ${number}`)
        case 3:
          return {
            type: 'tool.execution_start',
            data: { ...call, toolName: 'edit', arguments: { path: `src/${number}.ts` } },
          }
        case 4:
        case 5:
          return gave(call.toolCallId, `[main 1a2b3c${number}] output`)
        case 6:
          return { type: 'session.context_changed', data: { cwd: `/p/${number}`, branch: 'b' } }
        case 7:
          return {
            type: 'session.usage_record',
            data: { usage: { model: `m-${number}`, inputTokens: number } },
          }
        default:
          return {
            type: 'session.compaction_complete',
            data: { success: true, checkpointNumber: number, summaryContent: `sum ${number}` },
          }
      }
    }),
    { maxLength: 40 },
  )
  .map((drafts) => logOf(drafts))

/** Nothing to undo, not there any more: such answers are part of the game. */
function refused(error: unknown): void {
  if (!(error instanceof Error && error.name === 'EngineError')) throw error
}

const working: Script = async function* (turn) {
  const { content } = turn.message
  const path = `src/${content.length % 5}.ts`
  yield say(`Looking at ${content}`)
  const call = crypto.randomUUID()
  yield startTool(call, content.length % 2 === 0 ? 'edit' : 'bash', {
    path,
    command: `gh pr view ${content.length}`,
  })
  yield endTool(call, `[main 1a2b3c${content.length % 10}] done\nhttps://github.com/o/r/issues/7`)
  yield say(`doneWith ${content}`)
}

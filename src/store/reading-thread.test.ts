import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { answered, gave, said } from '../../test/log-of.ts'
import { openStoreHome, sessionId, type StoreHome } from '../../test/support/store.ts'
import { dumpStore, type Dump } from '../../test/support/store-dump.ts'
import type { Store } from './store.ts'

/** Enough to be worth a thread: one long session that only the second thread takes, and many short ones. */
function fill(home: StoreHome): void {
  const long = 'a long story '.repeat(40_000)
  home.write(
    sessionId(0),
    Array.from({ length: 9 }, (_, turn) => [said(`turn ${turn}`), answered(long)]).flat(),
  )
  for (let number = 1; number < 60; number++) {
    const call = { toolCallId: `call-${number}` }
    home.write(
      sessionId(number),
      [
        said(`prompt ${number}`),
        {
          type: 'tool.execution_start',
          data: { ...call, toolName: 'edit', arguments: { path: `${number}.ts` } },
        },
        gave(call.toolCallId, 'ok '.repeat(3000)),
        answered(`parseSummary ${number}`),
      ],
      `name: number ${number}\n`,
    )
  }
  home.write(sessionId(60), [])
}

const readerOf = (home: StoreHome): Worker =>
  new Worker(new URL('../wiring/store-reader.ts', import.meta.url), {
    workerData: { home: home.path },
  })

const failing = (code: string): Worker => new Worker(code, { eval: true, stderr: true })

async function dumpOf(store: Store): Promise<Dump> {
  const { failed, indexed, finished } = await store.reindex({ force: true })
  assert.deepEqual({ failed, indexed, finished }, { failed: [], indexed: 61, finished: true })
  return dumpStore((await store.path())!)
}

describe('a second thread that reads', () => {
  it('gives the same store as one thread alone', async () => {
    await using home = openStoreHome()
    fill(home)
    const alone = await dumpOf(home.store())
    const started: Worker[] = []
    const startReader = () => (started.push(readerOf(home)), started.at(-1))
    assert.deepEqual(await dumpOf(home.store({ startReader })), alone)
    assert.equal(started.length, 1)
  })

  it('may fail at its start or at any time: all is indexed by the first', async () => {
    await using home = openStoreHome()
    fill(home)
    const alone = await dumpOf(home.store())
    const threads = {
      'cannot be loaded': 'import("./nowhere.js")',
      'ends at once': 'process.exit(1)',
      'takes sessions and dies': `
        require('node:worker_threads').parentPort.once('message', ({ counter }) => {
          Atomics.add(counter, 0, 20)
          throw new Error('out of order')
        })`,
    }
    for (const [trouble, code] of Object.entries(threads)) {
      assert.deepEqual(
        await dumpOf(home.store({ startReader: () => failing(code) })),
        alone,
        trouble,
      )
    }
  })

  it('goes on from where a thread died in the middle of a session', async () => {
    await using home = openStoreHome()
    fill(home)
    const alone = await dumpOf(home.store())
    const startReader = () => {
      const worker = readerOf(home)
      worker.once('message', () => void worker.terminate())
      return worker
    }
    assert.deepEqual(await dumpOf(home.store({ startReader })), alone)
  })

  it('is not started for little, and ends with a caller that stops', async () => {
    await using home = openStoreHome()
    home.write(sessionId(1), [said('hello')])
    const refuse = () => assert.fail('a thread for one line')
    assert.equal((await home.store({ startReader: refuse }).reindex()).indexed, 1)

    fill(home)
    const stop = new AbortController()
    const worker = readerOf(home)
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.once('message', () => stop.abort())
    const store = home.store({ startReader: () => worker })
    const { finished } = await store.reindex({ force: true, signal: stop.signal })
    assert.equal(finished, false)
    await exited
    assert.equal((await home.store().reindex()).finished, true)
  })
})

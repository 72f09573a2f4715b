import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openMemory, type MemoryFs } from '../fs/memory.ts'
import type { FaultyOperation } from '../fs/memory-faults.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { Draft } from '../format/event.ts'
import { EventsNotOnDisk, LeaseLost, LogClosed, LogMoved, NotAnEvent } from './errors.ts'
import {
  LOG,
  countingIds,
  atEveryStep,
  idOf,
  idsIn,
  lineOf,
  logText,
  message,
  openSample,
  readAll,
  startDraft,
  startLine,
  writeLog,
} from '../../test/support/sample-log.ts'

/** Counts writes and syncs, and holds every sync until the gate opens. */
function counting(fs: SessionFs, gate: { opens: Promise<void> }) {
  const counts = { syncs: 0, writes: 0 }
  const counted: SessionFs = {
    ...fs,
    openAppend: async (path) => {
      const file = await fs.openAppend(path)
      return {
        ...file,
        sync: async () => {
          counts.syncs += 1
          await gate.opens
          await file.sync()
        },
        write: (chunks, position) => {
          counts.writes += 1
          return file.write(chunks, position)
        },
      }
    },
  }
  return { fs: counted, counts }
}

describe('appending', () => {
  test('gives ids, times, parents and places in the order of the calls', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    const [first, second] = await Promise.all([
      log.append([startDraft, message('a')]),
      log.append([message('b')]),
    ])
    const all = [...first, ...second]
    assert.deepEqual(
      all.map(({ event: { id, parentId, timestamp } }) => ({ id, parentId, timestamp })),
      [1, 2, 3].map((number) => ({
        id: idOf(number),
        parentId: number === 1 ? null : idOf(number - 1),
        timestamp: '2026-01-02T03:04:05.678Z',
      })),
    )
    assert.deepEqual((await readAll(fs)).records, all)
    assert.deepEqual([log.size, log.lastId], [all.at(-1)!.end, idOf(3)])
    await log.close()
  })

  test('writes nothing before the first append', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    assert.deepEqual(await log.append([]), [])
    await log.close()
    assert.equal(await fs.stat(LOG), undefined)
  })

  test('shares one sync among all that is queued', async () => {
    const gate = { opens: Promise.resolve() }
    const { fs, counts } = counting(openMemory(), gate)
    const log = await openSample(fs)
    await Promise.all(Array.from({ length: 50 }, () => log.append([message('x')])))
    assert.deepEqual(counts, { syncs: 1, writes: 1 })
    const { promise, resolve } = Promise.withResolvers<void>()
    gate.opens = promise
    const burst: Promise<unknown>[] = [log.append([message('first of a burst')])]
    for (let index = 0; index < 50; index++) {
      await new Promise(setImmediate)
      burst.push(log.append([message('x')]))
    }
    resolve()
    await Promise.all(burst)
    assert.deepEqual(counts, { syncs: 3, writes: 3 })
    assert.equal((await idsIn(fs)).length, 101)
    await log.close()
  })

  test('resolves only when a power cut can take nothing back (format §9.5)', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    await log.append([startDraft, message('kept')])
    assert.deepEqual(await idsIn(fs.crash()), [idOf(1), idOf(2)])
  })

  test('gives what readers will read: well-formed text, no undefined fields', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    const draft = { type: 'user.message', data: { content: 'half \ud83d', source: undefined } }
    const [record] = await log.append([draft as unknown as Draft])
    assert.deepEqual(record!.event.data, { content: 'half \ufffd' })
    assert.deepEqual((await readAll(fs)).records, [record])
    await log.close()
  })

  test('refuses notices and wrong shapes, all drafts of the call with them', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    const notice = { type: 'assistant.message_delta', data: {} } as unknown as Draft
    const wrong = { type: 'user.message', data: { content: 1 } } as unknown as Draft
    await assert.rejects(log.append([message('a'), notice]), NotAnEvent)
    await assert.rejects(log.append([message('a'), wrong]), NotAnEvent)
    assert.equal(log.size, 0)
    await log.close()
  })

  test('is refused after close', async () => {
    const log = await openSample(openMemory())
    const last = log.append([message('a')])
    await log.close()
    assert.equal((await last).length, 1)
    await assert.rejects(log.append([message('b')]), LogClosed)
  })
})

describe('another writer', () => {
  test('stops this one before it writes, and what is there stays (format §9.8)', async () => {
    for (const meddle of [
      (text: string) => `${text}${lineOf(9)}\n`,
      (text: string) => text.slice(0, -10),
    ]) {
      const fs = openMemory()
      const log = await openSample(fs)
      await log.append([startDraft, message('a')])
      const file = await fs.openAppend(LOG)
      const changed = Buffer.from(meddle(await logText(fs)))
      await file.truncate(0)
      await file.write([changed], 0)
      await assert.rejects(log.append([message('b')]), LogMoved)
      await assert.rejects(log.append([message('c')]), LogMoved)
      assert.equal(await logText(fs), changed.toString())
      await log.close()
    }
  })

  test('a lost lease stops the write (format §10.5)', async () => {
    const fs = openMemory()
    let holds = true
    const log = await openSample(fs, { fence: { holds: async () => holds } })
    await log.append([startDraft])
    const before = await logText(fs)
    holds = false
    const lost = [log.append([message('a')]), log.append([message('b')])]
    for (const each of lost) await assert.rejects(each, LeaseLost)
    assert.equal(await logText(fs), before)
    await log.close()
  })

  test('a lease that is lost during the sync leaves the event unacknowledged (format §10.5)', async () => {
    const answers = [true, true, false]
    const log = await openSample(openMemory(), {
      fence: { holds: async () => answers.shift() ?? false },
    })
    await assert.rejects(log.append([startDraft]), LeaseLost)
    await log.close()
  })

  test('without the lease the log is not even opened (format §10.1)', async () => {
    const fs = openMemory()
    await writeLog(fs, `${startLine()}\ntorn`)
    await assert.rejects(openSample(fs, { fence: { holds: async () => false } }), LeaseLost)
    assert.equal(await logText(fs), `${startLine()}\ntorn`)
  })
})

describe('trouble with the disk', () => {
  test('a short write is cut back, told and tried again (format §9.6)', async () => {
    const faults = [
      { operation: 'write', nth: 2, times: 3, code: 'ENOSPC', afterBytes: 40 },
    ] as const
    const fs = openMemory({ faults })
    const told: unknown[] = []
    let recovered = 0
    const log = await openSample(fs, {
      onTrouble: ({ attempt, retryInMs, error }) =>
        told.push([attempt, retryInMs, (error as Error & { code?: string }).code]),
      onRecovered: () => (recovered += 1),
      limits: { firstRetryMs: 1, maxRetryMs: 3 },
    })
    await log.append([startDraft])
    await log.append([message('a')])
    assert.deepEqual(told, [
      [1, 1, 'ENOSPC'],
      [2, 2, 'ENOSPC'],
      [3, 3, 'ENOSPC'],
    ])
    assert.equal(recovered, 1)
    assert.deepEqual(await idsIn(fs), [idOf(1), idOf(2)])
    await log.close()
  })

  const refusing = () =>
    openMemory({ faults: [{ operation: 'write', nth: 2, times: 1e9, code: 'ENOSPC' }] })

  test('trouble that lasts ends with words for the caller that waits', async () => {
    const log = await openSample(refusing(), {
      limits: { firstRetryMs: 1, maxRetryMs: 5, giveUpMs: 20 },
    })
    await log.append([startDraft])
    await assert.rejects(log.append([message('a')]), EventsNotOnDisk)
    await assert.rejects(log.close(), EventsNotOnDisk)
  })

  test('in a hurry the next attempt is the last; without trouble a hurry changes nothing', async () => {
    let told = 0
    const log = await openSample(refusing(), {
      onTrouble: () => {
        told += 1
        setImmediate(log.hurry)
      },
      limits: { firstRetryMs: 1e6, maxRetryMs: 1e6, giveUpMs: 1e9 },
    })
    log.hurry()
    await log.append([startDraft])
    await assert.rejects(log.append([message('a')]), EventsNotOnDisk)
    assert.equal(told, 1)
    await assert.rejects(log.close(), EventsNotOnDisk)
  })

  test('while it lasts the log holds no torn record', async () => {
    const fs = openMemory({
      faults: [{ operation: 'write', nth: 2, times: 1e9, code: 'ENOSPC', afterBytes: 40 }],
    })
    const troubled = Promise.withResolvers<void>()
    const log = await openSample(fs, {
      onTrouble: () => troubled.resolve(),
      limits: { firstRetryMs: 1e6, maxRetryMs: 1e6 },
    })
    await log.append([startDraft])
    const before = await logText(fs)
    const stuck = [log.append([message('a'), message('b')]), log.append([message('c')])]
    const failures = stuck.map((each) => assert.rejects(each, EventsNotOnDisk))
    await troubled.promise
    assert.equal(await logText(fs), before)
    await assert.rejects(log.close(), (error: EventsNotOnDisk) => error.count === 3)
    await Promise.all(failures)
    assert.equal(await logText(fs), before)
  })

  test('after a failed sync the handle is never synced again and the batch is written anew (format §9.7)', async () => {
    const memory = openMemory({ faults: [{ operation: 'sync', nth: 2, code: 'EIO' }] })
    let opened = 0
    const fs: SessionFs = {
      ...memory,
      openAppend: (path) => ((opened += 1), memory.openAppend(path)),
    }
    const log = await openSample(fs)
    await log.append([startDraft])
    await log.append([message('a')])
    assert.equal(opened, 2)
    assert.deepEqual(await idsIn(memory.crash()), [idOf(1), idOf(2)])
    await log.close()
  })

  test('after a failed sync it goes on only when the acknowledged bytes are still there (format §9.7)', async () => {
    const memory = openMemory({ faults: [{ operation: 'sync', nth: 2, code: 'EIO' }] })
    const log = await openSample(memory, {
      onTrouble: () => {
        void memory.openAppend(LOG).then((file) => file.write([Buffer.from('rot')], 20))
      },
    })
    await log.append([startDraft])
    await assert.rejects(log.append([message('a')]), LogMoved)
    await log.close()
  })

  test('one failure at any operation: no false acknowledgement, nothing twice, order kept', async () => {
    const operations: FaultyOperation[] = ['write', 'sync', 'truncate', 'openAppend', 'read']
    for (const operation of operations) {
      for (let nth = 1; nth <= 8; nth++) {
        for (const times of [1, 3]) {
          const fs = openMemory({ faults: [{ operation, nth, times, code: 'EIO', afterBytes: 7 }] })
          await appendAll(fs)
          const expected = Array.from({ length: 12 }, (_, index) => idOf(index + 1))
          const { records, findings } = await readAll(fs)
          assert.deepEqual(
            records.map(({ event }) => event.id),
            expected,
            `${operation} ${nth}`,
          )
          assert.deepEqual(findings, [])
        }
      }
    }
  })

  async function appendAll(fs: MemoryFs): Promise<void> {
    const log = await openSample(fs)
      .catch(() => openSample(fs))
      .catch(() => openSample(fs))
      .catch(() => openSample(fs))
    let acknowledged = 0
    await log.append([startDraft])
    for (let round = 0; round < 5; round++) {
      await Promise.all([log.append([message('a')]), log.append([message('b')])])
      acknowledged += 2
      const now = await idsIn(fs)
      assert.ok(now.length >= acknowledged + 1)
    }
    await log.append([message('last')])
    await log.close()
  }

  test('killed or cut from power at any step: everything acknowledged is there, once and in order', async () => {
    const steps = await atEveryStep({
      work: async (fs) => {
        const acknowledged: string[] = []
        await writeUntilDeath(fs, acknowledged)
        return acknowledged
      },
      check: async (fs, acknowledged = [], place) => {
        const log = await openSample(fs, { newId: countingIds(50) })
        await log.append([message('after')])
        await log.close()
        const { records, findings } = await readAll(fs)
        const ids = records.map(({ event }) => event.id as string)
        assert.deepEqual(ids.slice(0, acknowledged.length), acknowledged, place)
        assert.deepEqual(ids, [...ids.slice(0, -1).map((_, index) => idOf(index + 1)), idOf(50)])
        assert.deepEqual(
          findings.filter(({ kind }) => kind !== 'no_start'),
          [],
        )
      },
    })
    assert.ok(steps >= 7, `${steps} steps`)
  })

  async function writeUntilDeath(fs: SessionFs, acknowledged: string[]): Promise<void> {
    const death = Promise.withResolvers<void>()
    const log = await openSample(fs, { onTrouble: () => death.resolve() })
    const append = async (drafts: Draft[]) => {
      for (const { event } of await log.append(drafts)) acknowledged.push(event.id)
    }
    const work = async () => {
      await append([startDraft])
      await Promise.all([append([message('a')]), append([message('b'), message('c')])])
      await append([message('d')])
    }
    const ended = work().catch(() => {})
    await Promise.race([ended, death.promise])
    await log.close().catch(() => {})
    await ended
  }
})

describe('debounced', () => {
  test('acknowledges at once and is on disk after a flush', async () => {
    const fs = openMemory()
    const log = await openSample(fs, { durability: 'debounced', limits: { debounceMs: 1e6 } })
    await log.append([startDraft])
    await log.append([message('a')])
    assert.equal(await fs.stat(LOG), undefined)
    await log.flush()
    assert.deepEqual(await idsIn(fs.crash()), [idOf(1), idOf(2)])
  })

  test('is on disk after close', async () => {
    const fs = openMemory()
    const log = await openSample(fs, { durability: 'debounced', limits: { debounceMs: 1e6 } })
    await log.append([startDraft])
    await log.close()
    assert.deepEqual(await idsIn(fs), [idOf(1)])
  })

  test('gets there by itself, every time', async () => {
    const memory = openMemory()
    let written = Promise.withResolvers<void>()
    const fs: SessionFs = {
      ...memory,
      openAppend: async (path) => {
        const file = await memory.openAppend(path)
        return { ...file, sync: () => file.sync().finally(() => written.resolve()) }
      },
    }
    const log = await openSample(fs, { durability: 'debounced', limits: { debounceMs: 1 } })
    for (const number of [1, 2, 3]) {
      written = Promise.withResolvers()
      await log.append([number === 1 ? startDraft : message('x')])
      await written.promise
      assert.equal((await idsIn(memory)).length, number)
    }
    await log.close()
  })

  test('close says what never got there', async () => {
    const fs = openMemory({ faults: [{ operation: 'write', nth: 1, times: 1e9, code: 'EROFS' }] })
    const log = await openSample(fs, { durability: 'debounced', limits: { debounceMs: 1e6 } })
    await log.append([startDraft, message('a')])
    await assert.rejects(log.close(), (error: EventsNotOnDisk) => error.count === 2)
  })
})

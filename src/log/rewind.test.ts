import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { checksumOf, sha256Hex } from '../lib/checksum.ts'
import { EventNotFound, NothingToRedo, StartNotRemovable } from './errors.ts'
import type { LogRecord } from './record.ts'
import { readableSize } from './redo.ts'
import {
  DIR,
  LOG,
  atEveryStep,
  countingIds,
  dyingAt,
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

async function fiveEvents(fs: SessionFs = openMemory()) {
  const log = await openSample(fs)
  await log.append([startDraft, message('a'), message('b'), message('c'), message('d')])
  return { fs, log }
}

const namesIn = async (fs: SessionFs, folder: string): Promise<string[]> =>
  (await fs.list(`${DIR}/.reprise/${folder}`)).map(({ name }) => name).sort()

describe('truncating before an event', () => {
  test('removes it and all after it, and keeps the bytes beside the log', async () => {
    const { fs, log } = await fiveEvents()
    const before = await logText(fs)
    const cutAt = (await readAll(fs)).records[2]!.start
    const truncated = await log.truncateBefore(idOf(3))
    assert.deepEqual(truncated, { eventsRemoved: 3, cutAt, entry: '001' })
    assert.equal(await logText(fs), before.slice(0, cutAt))
    assert.deepEqual([log.size, log.lastId], [cutAt, idOf(2)])
    const kept = await fs.read(`${DIR}/.reprise/rewound/001.jsonl`)
    assert.equal(Buffer.from(kept!).toString(), before.slice(cutAt))
    const about = Buffer.from((await fs.read(`${DIR}/.reprise/rewound/001.json`))!).toString()
    assert.deepEqual(await log.rewound(), [
      {
        entry: '001',
        version: 1,
        upToEventId: idOf(3),
        eventsRemoved: 3,
        cutAt,
        lastKeptId: idOf(2),
        removedBytes: before.length - cutAt,
        rewoundAt: '2026-01-02T03:04:05.678Z',
        sha256: sha256Hex(before.slice(cutAt)),
        checksum: checksumOf(JSON.parse(about) as Record<string, unknown>),
      },
    ])
    await log.append([message('other')])
    assert.deepEqual((await readAll(fs)).findings, [])
    await log.close()
  })

  test('changes nothing for an unknown event or the start', async () => {
    const { fs, log } = await fiveEvents()
    const before = await logText(fs)
    await assert.rejects(log.truncateBefore(idOf(99)), (error: Error) => {
      assert.ok(error instanceof EventNotFound)
      assert.match(error.message, new RegExp(`^Event ${idOf(99)} not found in session`))
      return true
    })
    await assert.rejects(log.truncateBefore(idOf(1)), StartNotRemovable)
    assert.equal(await logText(fs), before)
    assert.deepEqual(await namesIn(fs, 'rewound'), [])
    await log.append([message('on')])
    assert.deepEqual((await readAll(fs)).findings, [])
    await log.close()
  })

  test('finds nothing in a log that does not exist, and makes none', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    await assert.rejects(log.truncateBefore(idOf(1)), EventNotFound)
    assert.equal(await fs.stat(LOG), undefined)
    await log.close()
  })

  test('cuts inside a line when the event is glued to another', async () => {
    const fs = openMemory()
    await writeLog(fs, `${startLine()}\n${lineOf(2)}${lineOf(3)}\n${lineOf(4)}\n`)
    const log = await openSample(fs, { newId: countingIds(50) })
    await log.truncateBefore(idOf(3))
    assert.equal(await logText(fs), `${startLine()}\n${lineOf(2)}\n`)
    await log.redo()
    assert.equal(await logText(fs), [startLine(), lineOf(2), lineOf(3), lineOf(4), ''].join('\n'))
    await log.close()
  })

  test('waits for what is queued, and what comes later follows the cut', async () => {
    const { fs, log } = await fiveEvents()
    const queued = log.append([message('e')])
    const cut = log.truncateBefore(idOf(3))
    const later = log.append([message('f')])
    await Promise.all([queued, cut, later])
    assert.deepEqual(await idsIn(fs), [idOf(1), idOf(2), idOf(7)])
    assert.deepEqual((await readAll(fs)).findings, [])
    await log.close()
  })

  test('a disk that refuses leaves the log as it was, and usable', async () => {
    for (const operation of ['writeAtomic', 'write', 'sync', 'truncate'] as const) {
      const nth = operation === 'write' || operation === 'sync' ? 2 : 1
      const fs = openMemory({ faults: [{ operation, nth, code: 'ENOSPC' }] })
      const { log } = await fiveEvents(fs)
      const before = await logText(fs)
      await assert.rejects(log.truncateBefore(idOf(3)), /ENOSPC/)
      assert.equal(await logText(fs), before)
      assert.deepEqual(await namesIn(fs, 'rewound'), [])
      await log.append([message('on')])
      assert.deepEqual((await readAll(fs)).findings, [])
      await log.close()
    }
  })

  test('killed at any step it has happened or it has not', async () => {
    const whole = await logText((await fiveEvents()).fs)
    const cut = whole.split('\n').slice(0, 2).join('\n') + '\n'
    const steps = await atEveryStep({
      prepare: async (fs) => (await fiveEvents(fs)).log.close(),
      work: async (fs) => {
        const log = await openSample(fs)
        await log.truncateBefore(idOf(3))
        return true
      },
      check: async (fs, done, place) => {
        const log = await openSample(fs, { newId: countingIds(50) })
        const text = await logText(fs)
        const entries = (await log.rewound()).length
        assert.ok(
          text === whole ? done !== true && entries === 0 : text === cut && entries === 1,
          place,
        )
        assert.deepEqual(
          await namesIn(fs, 'rewound'),
          entries === 0 ? [] : ['001.json', '001.jsonl'],
        )
        if (entries === 1) {
          await log.redo()
          assert.equal(await logText(fs), whole)
        }
        await log.close()
      },
    })
    assert.ok(steps >= 6, `${steps} steps`)
  })
})

describe('knowing where the event stands', () => {
  test('spares the search, and changes nothing else', async () => {
    const sought = await fiveEvents()
    const known = await fiveEvents()
    const start = (await readAll(known.fs)).records[2]!.start
    const found = await sought.log.truncateBefore(idOf(3))
    assert.deepEqual(
      await known.log.truncateBefore(idOf(3), { expected: { start, eventsFrom: 3 } }),
      found,
    )
    assert.equal(await logText(known.fs), await logText(sought.fs))
    assert.deepEqual(await known.log.rewound(), await sought.log.rewound())
    assert.equal(known.log.lastId, idOf(2))
  })

  test('wrongly leads to a search', async () => {
    const { fs: sample } = await fiveEvents()
    const { records } = await readAll(sample)
    const wrong = [0, 1, ...records.map(({ start }) => start), records[4]!.end, 1e9]
    for (const start of wrong.filter((each) => each !== records[2]!.start)) {
      const { fs, log } = await fiveEvents()
      const { cutAt, eventsRemoved } = await log.truncateBefore(idOf(3), {
        expected: { start, eventsFrom: 9 },
      })
      assert.deepEqual([cutAt, eventsRemoved], [records[2]!.start, 3], `from ${start}`)
      assert.deepEqual(await idsIn(fs), [1, 2].map(idOf))
    }
  })

  test('of an event behind another on its line leads to a search', async () => {
    const fs = openMemory()
    await writeLog(fs, `${startLine()}\n${lineOf(2)}${lineOf(3)}${lineOf(4)}\n${lineOf(5)}\n`)
    const { records } = await readAll(fs)
    const log = await openSample(fs)
    await log.truncateBefore(idOf(4), { expected: { start: records[3]!.start, eventsFrom: 2 } })
    assert.equal(log.lastId, idOf(3))
    assert.deepEqual(await idsIn(fs), [1, 2, 3].map(idOf))
  })

  test('does not let the start be removed', async () => {
    const { log } = await fiveEvents()
    await assert.rejects(
      log.truncateBefore(idOf(1), { expected: { start: 0, eventsFrom: 5 } }),
      StartNotRemovable,
    )
  })
})

describe('redo', () => {
  test('brings back the bytes and tells of their records', async () => {
    const { fs, log } = await fiveEvents()
    const before = await readAll(fs)
    const text = await logText(fs)
    await log.truncateBefore(idOf(3))
    const records: LogRecord[] = []
    const { eventsRestored } = await log.redo({ onRestored: (some) => records.push(...some) })
    assert.deepEqual(records, before.records.slice(2))
    assert.equal(eventsRestored, 3)
    assert.equal(await logText(fs), text)
    assert.deepEqual([log.size, log.lastId], [text.length, idOf(5)])
    assert.deepEqual(await namesIn(fs, 'rewound'), [])
    await log.append([message('on')])
    assert.deepEqual((await readAll(fs)).findings, [])
    await log.close()
  })

  test('undoes several rewinds, newest first', async () => {
    const { fs, log } = await fiveEvents()
    const text = await logText(fs)
    await log.truncateBefore(idOf(5))
    await log.truncateBefore(idOf(4))
    await log.truncateBefore(idOf(2))
    const counts = []
    for (let round = 0; round < 3; round++) counts.push((await log.redo()).eventsRestored)
    assert.deepEqual(counts, [2, 1, 1])
    assert.equal(await logText(fs), text)
    await log.close()
  })

  test('says why there is nothing to redo', async () => {
    const { fs, log } = await fiveEvents()
    await assert.rejects(
      log.redo(),
      (error: NothingToRedo) => error.reason === 'nothing was rewound',
    )
    await log.truncateBefore(idOf(3))
    await log.append([message('other')])
    const text = await logText(fs)
    await assert.rejects(
      log.redo(),
      (error: NothingToRedo) => error.reason === 'the session has gone on since',
    )
    assert.equal(await logText(fs), text)
    assert.equal((await log.rewound()).length, 1)
    await log.append([message('on')])
    await log.close()
  })

  test('a disk that refuses leaves the log as it was, and usable', async () => {
    // Counted with the append and the rewind before it.
    const nth = { write: 3, sync: 4, writeAtomic: 2 }
    for (const operation of ['write', 'sync', 'writeAtomic'] as const) {
      const faults = [{ operation, nth: nth[operation], code: 'ENOSPC', afterBytes: 9 }]
      const fs = openMemory({ faults })
      const { log } = await fiveEvents(fs)
      await log.truncateBefore(idOf(3))
      const before = await logText(fs)
      await assert.rejects(log.redo(), /ENOSPC/)
      assert.equal(await logText(fs), before)
      assert.equal(await readableSize(fs, DIR), before.length)
      assert.equal((await log.redo()).eventsRestored, 3)
      await log.close()
    }
  })

  test('killed at any step it has happened or it has not, and readers never see a part', async () => {
    const whole = await logText((await fiveEvents()).fs)
    const cut = whole.split('\n').slice(0, 2).join('\n') + '\n'
    const steps = await atEveryStep({
      prepare: async (fs) => {
        const { log } = await fiveEvents(fs)
        await log.truncateBefore(idOf(3))
        await log.close()
      },
      work: async (fs) => {
        const log = await openSample(fs)
        await log.redo()
        return true
      },
      check: async (fs, done, place) => {
        const readable = await readableSize(fs, DIR)
        assert.ok([cut.length, whole.length].includes(readable), place)
        const log = await openSample(fs, { newId: countingIds(50) })
        const text = await logText(fs)
        const entries = (await log.rewound()).length
        assert.ok(
          text === whole ? entries === 0 : done !== true && text === cut && entries === 1,
          place,
        )
        assert.equal(await readableSize(fs, DIR), text.length)
        await log.close()
        const later = await openSample(fs.crash(), { newId: countingIds(50) })
        assert.equal(later.size, text.length, `${place}, settled, and the power cut again`)
        await later.append([message('on')])
        await later.close()
      },
    })
    assert.ok(steps >= 7, `${steps} steps`)
  })

  test('killed again while the next open settles it, it is still one or the other', async () => {
    const whole = await logText((await fiveEvents()).fs)
    const cut = whole.split('\n').slice(0, 2).join('\n') + '\n'
    for (const diesAt of [3, 4, 5, 6, 7, 8]) {
      await atEveryStep({
        prepare: async (fs) => {
          const { log } = await fiveEvents(fs)
          await log.truncateBefore(idOf(3))
          await log.close()
          const dying = dyingAt(fs, diesAt)
          await openSample(dying.fs)
            .then((again) => again.redo())
            .catch(() => {})
        },
        work: async (fs) => openSample(fs),
        check: async (fs, _, place) => {
          const log = await openSample(fs)
          const text = await logText(fs)
          assert.ok([cut, whole].includes(text), `${diesAt}, then ${place}`)
          assert.equal((await log.rewound()).length, text === whole ? 0 : 1)
          await log.close()
        },
      })
    }
  })

  test('keeps aside what another program wrote into an interrupted redo', async () => {
    const { fs, log } = await fiveEvents()
    await log.truncateBefore(idOf(3))
    await log.close()
    await openSample(dyingAt(fs, 3).fs)
      .then((dying) => dying.redo())
      .catch(() => {})
    const cut = await readableSize(fs, DIR)
    const file = await fs.openAppend(LOG)
    await file.truncate(cut)
    await file.write([Buffer.from(`${lineOf(77)}\n`)], cut)
    await (await openSample(fs)).close()
    assert.equal((await fs.stat(LOG))?.size, cut)
    const [name] = await namesIn(fs, 'torn')
    const kept = await fs.read(`${DIR}/.reprise/torn/${name}`)
    assert.equal(Buffer.from(kept!).toString(), `${lineOf(77)}\n`)
  })
})

test('rewinds and redos of any history give back exactly its bytes', async () => {
  const lines = fc.array(
    fc.record({
      type: fc.constantFrom('vendor.x', 'user.message'),
      data: fc.json(),
      odd: fc.string(),
    }),
    { minLength: 2, maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.nat(6), { maxLength: 4 }), async (events, cuts) => {
      const fs = openMemory()
      const text = [startLine(), ...events.map((event, index) => lineOf(index + 2, event))]
      const bytes = text.map((line) => `${line}\n`).join('')
      await writeLog(fs, bytes)
      const log = await openSample(fs)
      let done = 0
      for (const cut of cuts) {
        const ids = await idsIn(fs)
        if (ids.length < 2) break
        await log.truncateBefore(ids[1 + (cut % (ids.length - 1))] as never)
        done += 1
      }
      for (; done > 0; done--) await log.redo()
      assert.equal(await logText(fs), bytes)
      await log.close()
    }),
    { numRuns: 60 },
  )
})

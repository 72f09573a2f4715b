import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { readBackward, type BackwardOptions } from './backward.ts'
import { findEvent } from './find.ts'
import { LOG, idOf, lineOf, readAll, startLine, writeLog } from '../../test/support/sample-log.ts'

const log = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('')
const lines = (count: number): string[] => [
  startLine(),
  ...Array.from({ length: count - 1 }, (_, index) => lineOf(index + 2)),
]

async function homeWith(content: string): Promise<SessionFs> {
  const fs = openMemory()
  await writeLog(fs, content)
  return fs
}

async function backward(fs: SessionFs, options?: BackwardOptions) {
  const records = []
  const findings = []
  for await (const batch of readBackward(fs, LOG, options)) {
    records.push(...batch.records)
    findings.push(...batch.findings)
  }
  return { records, findings }
}

/** How many bytes were read of all files. */
function metered(fs: SessionFs): { fs: SessionFs; bytes: () => number } {
  let bytes = 0
  const openRead: SessionFs['openRead'] = async (path) => {
    const file = await fs.openRead(path)
    if (file === undefined) return undefined
    return {
      ...file,
      read: async (target, position) => {
        const got = await file.read(target, position)
        bytes += got
        return got
      },
    }
  }
  return { fs: { ...fs, openRead }, bytes: () => bytes }
}

describe('reading backward', () => {
  test('gives what reading forward gives, newest first, whatever the chunks are', async () => {
    const content = `\uFEFF${log(...lines(9), 'noise', '', lineOf(10) + lineOf(11))}\0\0\n${lineOf(12)}`
    const fs = await homeWith(content)
    const forward = await readAll(fs)
    for (const chunkBytes of [1, 5, 100, 333, 1 << 20]) {
      const { records, findings } = await backward(fs, { chunkBytes })
      assert.deepEqual(records.reverse(), forward.records)
      const kinds = findings.map(({ kind, start }) => `${kind} ${start}`)
      assert.deepEqual(
        kinds.sort(),
        forward.findings.map(({ kind, start }) => `${kind} ${start}`).sort(),
      )
    }
  })

  test('begins before a place', async () => {
    const fs = await homeWith(log(...lines(5)))
    const third = (await readAll(fs)).records[2]!
    const { records } = await backward(fs, { before: third.end })
    assert.deepEqual(
      records.map(({ event }) => event.id),
      [idOf(3), idOf(2), idOf(1)],
    )
  })

  test('names a torn tail', async () => {
    const fs = await homeWith(`${log(...lines(2))}{"type":`)
    const { records, findings } = await backward(fs)
    assert.deepEqual(
      records.map(({ event }) => event.id),
      [idOf(2), idOf(1)],
    )
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ['torn_tail'],
    )
  })

  test('passes over lines beyond the limit', async () => {
    const long = lineOf(3, { data: { content: 'x'.repeat(3000) } })
    const fs = await homeWith(log(...lines(2), long, lineOf(4)) + long)
    const { records, findings } = await backward(fs, { chunkBytes: 64, maxRecordBytes: 1000 })
    assert.deepEqual(
      records.map(({ event }) => event.id),
      [idOf(4), idOf(2), idOf(1)],
    )
    const all = log(...lines(2)).length
    assert.deepEqual(
      findings.map(({ kind, start, end }) => [kind, start, end - start]),
      [
        ['torn_tail', all + long.length + 1 + lineOf(4).length + 1, long.length],
        ['damaged', all, long.length + 1],
      ],
    )
  })

  test('reads no more than is asked for', async () => {
    const { fs, bytes } = metered(await homeWith(log(...lines(20_000))))
    for await (const { records } of readBackward(fs, LOG)) {
      assert.ok(records.length >= 10)
      break
    }
    assert.ok(bytes() < 32_000, `${bytes()} bytes read`)
  })
})

describe('finding an event', () => {
  test('gives its record, the id before it and how many events there are from it on', async () => {
    const fs = await homeWith(log(...lines(7)))
    const { records } = await readAll(fs)
    for (const [index, record] of records.entries()) {
      assert.deepEqual(await findEvent(fs, LOG, record.event.id), {
        record,
        previousId: index === 0 ? null : idOf(index),
        eventsFrom: 7 - index,
      })
    }
  })

  test('is not misled by the id in the text of others', async () => {
    const quote = lineOf(4, { data: { content: `see ${idOf(2)}, "id":"${idOf(2)}"` } })
    const fs = await homeWith(log(...lines(3), quote))
    assert.equal((await findEvent(fs, LOG, idOf(2)))?.record.start, startLine().length + 1)
    assert.equal(await findEvent(fs, LOG, 'message' as never), undefined)
    assert.equal(await findEvent(fs, LOG, idOf(99)), undefined)
    assert.equal(await findEvent(openMemory(), LOG, idOf(1)), undefined)
  })

  test('finds the first of a record that stands twice', async () => {
    const fs = await homeWith(log(...lines(3), lineOf(2), lineOf(3), lineOf(4)))
    const found = await findEvent(fs, LOG, idOf(2))
    assert.deepEqual([found?.record.start, found?.eventsFrom], [startLine().length + 1, 5])
  })

  test('finds records that are glued, behind NULs, or without a newline', async () => {
    const content = log(...lines(2), `\0${lineOf(3)}${lineOf(4)}${lineOf(5)}`) + lineOf(6)
    const fs = await homeWith(content)
    const previous = []
    for (const number of [3, 4, 5, 6]) {
      previous.push((await findEvent(fs, LOG, idOf(number)))?.previousId)
    }
    assert.deepEqual(previous, [idOf(2), idOf(3), idOf(4), idOf(5)])
  })

  test('costs the distance from the end', async () => {
    const { fs, bytes } = metered(await homeWith(log(...lines(20_000))))
    await findEvent(fs, LOG, idOf(19_990))
    assert.ok(bytes() < 300_000, `${bytes()} bytes read`)
  })
})

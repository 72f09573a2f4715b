import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openMemory } from '../fs/memory.ts'
import type { DraftOf } from '../format/event.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { LeaseLost } from './errors.ts'
import { inspectLog } from './inspect.ts'
import { mendLog, type MendOptions } from './mend.ts'
import {
  DIR,
  SESSION,
  atEveryStep,
  countingIds,
  idOf,
  idsIn,
  lineOf,
  logText,
  message,
  openSample,
  startDraft,
  startLine,
  writeLog,
} from '../../test/support/sample-log.ts'

const log = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('')

const mend = (fs: SessionFs, options: Partial<MendOptions> = {}) =>
  mendLog(fs, DIR, { clock: () => new Date(0), newId: countingIds(900), ...options })

async function homeWith(content: string | Uint8Array): Promise<SessionFs> {
  const fs = openMemory()
  await writeLog(fs, content)
  return fs
}

const damaged = Buffer.concat([
  Buffer.from(`\uFEFF${startLine()}\r\n`),
  Buffer.from(log(lineOf(2, { odd: 1 }), lineOf(3) + lineOf(4), 'noise', `\0\0${lineOf(5)}`)),
  Buffer.from(log('\0'.repeat(8), `${lineOf(6).slice(0, 60)}${lineOf(7)}`, lineOf(5), '')),
  Buffer.from(log(lineOf(8, { data: { content: 'X' } }))).map((byte) =>
    byte === 0x58 ? 0xff : byte,
  ),
  Buffer.from('{"type":"torn'),
])

const mended = `${startLine()}\r\n${log(
  lineOf(2, { odd: 1 }),
  lineOf(3),
  lineOf(4),
  lineOf(5),
  lineOf(7),
  lineOf(8, { data: { content: '\uFFFD' } }),
)}`

describe('mending a log', () => {
  test('puts every record on a line of its own and says exactly what is lost', async () => {
    const fs = await homeWith(damaged)
    const report = await mend(fs)
    assert.equal(await logText(fs), mended)
    assert.deepEqual(
      {
        ...report,
        recovered: report.recovered.map(({ kind }) => kind).sort(),
        lost: report.lost.map(({ kind, start, end }) => [
          kind,
          end - start,
          damaged.subarray(start, end).toString(),
        ]),
      },
      {
        changed: true,
        events: 7,
        bytesBefore: damaged.length,
        bytesAfter: Buffer.byteLength(mended),
        startRebuilt: false,
        recovered: ['bom', 'duplicate', 'glued', 'half', 'invalid_utf8', 'nul'],
        lost: [
          ['damaged', 5, 'noise'],
          ['nul', 8, '\0'.repeat(8)],
          ['damaged', 60, lineOf(6).slice(0, 60)],
          ['torn_tail', 13, '{"type":"torn'],
        ],
        original: '.reprise/before-mend-1.jsonl',
      },
    )
    assert.deepEqual(Buffer.from((await fs.read(`${DIR}/${report.original}`))!), damaged)
    for (const { keptAs, start, end } of report.lost) {
      const kept = await fs.read(`${DIR}/${keptAs}`)
      assert.deepEqual(Buffer.from(kept!), damaged.subarray(start, end))
    }
  })

  test('leaves a sound log alone, also one that it has mended', async () => {
    const fs = await homeWith(damaged)
    await mend(fs)
    const before = await fs.stat(`${DIR}/events.jsonl`)
    const again = await mend(fs, { start: startDraft as DraftOf<'session.start'> })
    assert.deepEqual([again.changed, again.events], [false, 7])
    assert.deepEqual(await fs.stat(`${DIR}/events.jsonl`), before)
    const report = await inspectLog(fs, DIR, SESSION)
    assert.deepEqual(
      report.findings.map(({ kind }) => kind),
      ['chain_break'],
    )
  })

  test('rebuilds a missing start so that the chain is whole', async () => {
    const fs = await homeWith(log('{"type":"session.sta', lineOf(2), lineOf(3)))
    const report = await mend(fs, { start: startDraft as DraftOf<'session.start'> })
    assert.deepEqual([report.startRebuilt, report.events], [true, 3])
    assert.deepEqual(await idsIn(fs), [idOf(1), idOf(2), idOf(3)])
    assert.deepEqual((await inspectLog(fs, DIR, SESSION)).findings, [])
  })

  test('makes a log of nothing but its start when the file is empty or gone', async () => {
    for (const fs of [await homeWith(''), openMemory()]) {
      const report = await mend(fs, { start: startDraft as DraftOf<'session.start'> })
      assert.deepEqual([report.changed, await idsIn(fs)], [true, [idOf(900)]])
    }
    assert.equal((await mend(openMemory())).changed, false)
  })

  test('drops a record that stands twice, however far apart', async () => {
    const many = Array.from({ length: 1500 }, (_, index) => lineOf(index + 2))
    const fs = await homeWith(log(startLine(), ...many, lineOf(2), lineOf(3), lineOf(1502)))
    const report = await mend(fs)
    assert.deepEqual(
      report.recovered.map(({ kind }) => kind),
      ['duplicate', 'duplicate'],
    )
    assert.equal(await logText(fs), log(startLine(), ...many, lineOf(1502)))
  })

  test('without the lease it changes nothing', async () => {
    const fs = await homeWith(damaged)
    await assert.rejects(mend(fs, { fence: { holds: async () => false } }), LeaseLost)
    assert.deepEqual(Buffer.from((await fs.read(`${DIR}/events.jsonl`))!), damaged)
  })

  test('killed at any step it has happened or it has not', async () => {
    const steps = await atEveryStep({
      prepare: (fs) => writeLog(fs, damaged),
      work: async (fs) => mend(fs),
      check: async (fs, done, place) => {
        const bytes = Buffer.from((await fs.read(`${DIR}/events.jsonl`))!)
        const isMended = bytes.toString() === mended
        assert.ok(isMended || (done === undefined && bytes.equals(damaged)), place)
        await mend(fs)
        assert.equal(await logText(fs), mended, place)
        const originals = (await inspectLog(fs, DIR, SESSION)).beforeMend
        assert.ok(
          originals.some(({ bytes: size }) => size === damaged.length),
          place,
        )
      },
    })
    assert.ok(steps > 10, `${steps} steps`)
  })

  test('any log is sound after mending, and no record that could be read is gone', async () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\r\n', '\0\0', '\uFEFF', 'noise', '{"type":"x', '}', '"'),
      fc.nat(6).map((number) => lineOf(number + 2)),
      fc.nat(6).map((number) => `${lineOf(number + 2)}\n`),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const fs = await homeWith(`${startLine()}\n${pieces.join('')}`)
        const before = await inspectLog(fs, DIR, SESSION)
        const ids = new Set(await idsIn(fs))
        await mend(fs)
        const report = await inspectLog(fs, DIR, SESSION)
        const kinds = new Set(report.findings.map(({ kind }) => kind))
        kinds.delete('chain_break')
        assert.deepEqual([...kinds], [])
        assert.deepEqual(new Set(await idsIn(fs)), ids)
        assert.equal(report.events, before.events)
        assert.equal((await mend(fs)).changed, false)
      }),
      { numRuns: 200 },
    )
  })
})

test('inspecting says what a log holds and what is kept beside it', async () => {
  const fs = openMemory()
  const writer = await openSample(fs)
  await writer.append([startDraft, message('a'), message('b')])
  await writer.truncateBefore(idOf(3))
  await writer.close()
  const sound = await logText(fs)
  await writeLog(fs, `${sound}${lineOf(3, { type: 'vendor.x' })}\nnoise\nto`)
  await (await openSample(fs)).close()
  const { rewound, torn, findings, ...rest } = await inspectLog(fs, DIR, SESSION)
  assert.deepEqual(rest, {
    exists: true,
    bytes: sound.length + lineOf(3, { type: 'vendor.x' }).length + 7,
    events: 3,
    strangers: 1,
    hasStart: true,
    firstAt: '2026-01-02T03:04:05.678Z',
    lastAt: '2026-01-01T00:00:00.000Z',
    lostBytes: 5,
    quarantined: [],
    beforeMend: [],
    hasUnfinishedRedo: false,
  })
  assert.deepEqual(
    rewound.map(({ entry, eventsRemoved }) => [entry, eventsRemoved]),
    [['001', 1]],
  )
  assert.deepEqual(
    torn.map(({ bytes }) => bytes),
    [2],
  )
  assert.deepEqual(
    findings.map(({ kind, line }) => [kind, line]),
    [['damaged', 4]],
  )
})

test('inspecting a session without a log says so', async () => {
  const { exists, events, findings } = await inspectLog(openMemory(), DIR, SESSION)
  assert.deepEqual({ exists, events, findings }, { exists: false, events: 0, findings: [] })
})

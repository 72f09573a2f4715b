/** docs/format.md, sections 3 and 4: bytes, lines, blobs, envelope. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isEventType, type Draft } from '../../src/format/event.ts'
import { noticeSchemas } from '../../src/format/notice.ts'
import { readBlob, reduceDraft } from '../../src/log/blobs.ts'
import { MAX_RECORD_BYTES } from '../../src/log/split.ts'
import { answered, eventId, gave, said, started } from '../log-of.ts'
import {
  DIR,
  LOG,
  idsOf,
  inHome,
  inLines,
  kindsOf,
  linesOf,
  openWriter,
  readAll,
  twoTurns,
  withEngine,
} from './on-disk.ts'
import { recording } from './recording.ts'
import { converse } from '../support/engine.ts'

const lines = linesOf(twoTurns)
const ids = [1, 2, 3, 4, 5].map(eventId)

test('format §3.1: only 0x0A ends a line; other line separators are text', () =>
  inHome(async ({ fs, write }) => {
    const text = 'a\u2028b\u2029c\u0085d'
    write(LOG, inLines(linesOf([started(), said(text)])))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(records[1]?.event.data, { content: text })
    assert.deepEqual(findings, [])
  }))

test('format §3.2, format §4.2, format §4.4: an event is written as one line in one form', () =>
  inHome(async ({ fs, text }) => {
    const log = await openWriter(fs, { newId: () => eventId(1) })
    await log.append([started()])
    await log.close()
    assert.equal(
      text(LOG),
      '{"type":"session.start","data":{"sessionId":"11111111-1111-4111-8111-111111111111","version":1,' +
        '"producer":"reprise","copilotVersion":"0.1.0","startTime":"2025-01-01T00:00:00.000Z"},' +
        '"id":"00000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T10:00:00.000Z","parentId":null}\n',
    )
  }))

test('format §3.2: line breaks inside a text are escaped, and nothing is written between lines', () =>
  inHome(async ({ fs, text }) => {
    const log = await openWriter(fs)
    await log.append([started(), said('a\r\nb\n\nc')])
    await log.append([answered('\ufeff')])
    await log.close()
    assert.equal(text(LOG).split('\n').length, 4)
    assert.doesNotMatch(text(LOG), /^\ufeff|\r|\n\n/)
  }))

test('format §3.3: blank lines and CR LF are read over', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, `\r\n\n${lines.join('\r\n \t\r\n')}\r\n\n`)
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids)
    assert.deepEqual(findings, [])
  }))

test('format §3.4: a byte order mark at the start of a line is skipped', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, `\ufeff${lines[0]}\n\ufeff${lines[1]}\n`)
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids.slice(0, 2))
    assert.deepEqual(kindsOf(findings), ['bom', 'bom'])
  }))

test('format §3.5: half of a surrogate pair is written as U+FFFD', () =>
  inHome(async ({ fs, text }) => {
    const log = await openWriter(fs)
    const [, record] = await log.append([started(), said('a\ud83d b\ude00 🙂')])
    await log.close()
    assert.match(text(LOG), /"content":"a\ufffd b\ufffd 🙂"/)
    assert.deepEqual(record?.event.data, { content: 'a\ufffd b\ufffd 🙂' })
  }))

test('format §3.6: a line of 64 MiB is an event; a longer one may be damage, and what follows it is read', () =>
  inHome(async ({ fs, write }) => {
    const [first = '', last = ''] = linesOf([started(), said('x')])
    const room = MAX_RECORD_BYTES - Buffer.byteLength(last) - 1
    const longest = last.replace('"x"', `"x${'y'.repeat(room)}"`)
    assert.equal(Buffer.byteLength(longest), 67_108_864 - 1)
    write(LOG, inLines([first, longest]))
    assert.deepEqual(idsOf((await readAll(fs, LOG)).records), ids.slice(0, 2))

    write(LOG, inLines([first, longest.replace('"x', '"xyz'), ...lines.slice(1, 2)]))
    const { records, findings } = await readAll(fs, LOG, { maxRecordBytes: 1024, chunkBytes: 512 })
    assert.deepEqual(idsOf(records), ids.slice(0, 2))
    assert.deepEqual(kindsOf(findings), ['damaged'])
  }))

test('format §3.7: bytes behind the last newline are one whole event or nothing', () =>
  inHome(async ({ fs, write }) => {
    const [first = '', second = '', third = ''] = lines
    write(LOG, `${first}\n${second}`)
    assert.deepEqual(idsOf((await readAll(fs, LOG)).records), ids.slice(0, 2))
    for (const tail of [second.slice(0, -1), `${second}${third}`, `${second}\0`, `x${second}`]) {
      write(LOG, `${first}\n${tail}`)
      const { records, findings } = await readAll(fs, LOG)
      assert.deepEqual(idsOf(records), ids.slice(0, 1))
      assert.deepEqual(kindsOf(findings), ['torn_tail'])
    }
  }))

test('format §3.8: an append never continues a line that has no end', () =>
  inHome(async ({ fs, write, text }) => {
    for (const tail of [lines[1], lines[1]?.slice(0, 20)]) {
      write(LOG, `${lines[0]}\n${tail}`)
      const log = await openWriter(fs)
      await log.append([answered('appended')])
      await log.close()
      const { findings } = await readAll(fs, LOG)
      assert.deepEqual(findings, [])
      assert.match(text(LOG), /\n\{"type":"assistant\.message"[^\n]+\n$/)
    }
  }))

const long = `${'é'.repeat(40_000)}🙂end`

test('format §3.9: a blob is durable before the event that names it is written', () =>
  inHome(async ({ fs }) => {
    const agent = {
      name: 'tool',
      async *run(): AsyncGenerator<{ draft: Draft }> {
        yield { draft: gave('call-1', long) }
      },
    }
    const { watched, calls } = recording(fs)
    await withEngine(
      watched,
      async (engine) => {
        const { id } = await engine.create()
        await converse(engine, id, { prompt: 'go' })
      },
      { agent },
    )
    const blob = calls.findIndex((call) =>
      /^writeAtomic durable .*\/blobs\/[0-9a-f]{64}$/.test(call),
    )
    const event = calls.findIndex((call) => /^write .*tool\.execution_complete/.test(call))
    assert.ok(blob !== -1 && blob < event, calls.join('\n'))
  }))

test('format §3.10, format §3.11: an event stands without its blob, and a blob with another content is refused', () =>
  inHome(async ({ fs, write, names }) => {
    const draft = await reduceDraft(fs, DIR, gave('call-1', long))
    const sha256 = createHash('sha256').update(long).digest('hex')
    const data = draft.data as { reprise: unknown; result: { content: string } }
    assert.deepEqual(data.reprise, {
      blobs: [
        {
          field: 'result.content',
          path: `.reprise/blobs/${sha256}`,
          sha256,
          byteLength: Buffer.byteLength(long),
        },
      ],
    })
    assert.match(
      data.result.content,
      /^é{8192}\n… \d+ bytes kept in blob [0-9a-f]{64} …\né{8187}🙂end$/,
    )

    write(LOG, inLines(linesOf([started(), draft])))
    const path = `${DIR}/.reprise/blobs/${sha256}`
    assert.deepEqual(Buffer.from((await readBlob(fs, DIR, sha256)) ?? []).toString(), long)
    write(path, 'something else')
    await assert.rejects(readBlob(fs, DIR, sha256), { name: 'BlobDamaged' })
    await fs.remove(path)
    assert.deepEqual(names(`${DIR}/.reprise/blobs`), [])
    assert.equal(await readBlob(fs, DIR, sha256), undefined)
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual([records.length, findings], [2, []])
  }))

test('format §4.1: a line without a sound envelope is damage, not an event', () =>
  inHome(async ({ fs, write }) => {
    const [first = '', second = ''] = lines
    const sound = JSON.parse(second) as Record<string, unknown>
    const broken = [
      '42',
      'null',
      '[]',
      '"text"',
      ...Object.entries({ type: 1, id: '', timestamp: null, parentId: 7 }).map(([key, value]) =>
        JSON.stringify({ ...sound, [key]: value }),
      ),
      ...['type', 'id', 'timestamp'].map((key) => JSON.stringify({ ...sound, [key]: undefined })),
    ]
    write(LOG, inLines([first, ...broken, second]))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids.slice(0, 2))
    assert.deepEqual(
      kindsOf(findings),
      broken.map(() => 'damaged'),
    )
    write(LOG, inLines([first, JSON.stringify({ ...sound, parentId: undefined })]))
    assert.deepEqual((await readAll(fs, LOG)).findings, [])
  }))

test('format §4.2: the agent of an event stands before its id', () =>
  inHome(async ({ fs, text }) => {
    const log = await openWriter(fs)
    await log.append([started(), { ...said('x'), agentId: 'helper' }])
    await log.close()
    const [, second = ''] = text(LOG).split('\n')
    assert.deepEqual(Object.keys(JSON.parse(second) as object), [
      'type',
      'data',
      'agentId',
      'id',
      'timestamp',
      'parentId',
    ])
  }))

test('format §4.3: every event of a session has a UUID of its own', () =>
  inHome(async ({ fs }) =>
    withEngine(fs, async (engine) => {
      const { id } = await engine.create()
      await converse(engine, id, { prompt: 'one' })
      await converse(engine, id, { prompt: 'two' })
      const { records } = await readAll(fs, `session-state/${id}/events.jsonl`)
      for (const each of idsOf(records)) {
        assert.match(each, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      }
      assert.equal(new Set(idsOf(records)).size, records.length)
    }),
  ))

test('format §4.5: no notice can be appended', () =>
  inHome(async ({ fs, text }) => {
    const log = await openWriter(fs)
    await log.append([started()])
    const before = text(LOG)
    for (const type of Object.keys(noticeSchemas)) {
      if (isEventType(type)) continue // session.error is told and, at other times, stored
      const notice = { type, data: {} } as unknown as Draft
      await assert.rejects(log.append([said('with it'), notice]), { name: 'NotAnEvent' }, type)
    }
    await log.close()
    assert.equal(text(LOG), before)
  }))

/** docs/format.md, section 8: rewind and redo, and the worked example word for word. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SessionId } from '../../src/format/ids.ts'
import type { LogRecord } from '../../src/log/record.ts'
import { readableSize } from '../../src/log/redo.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import { answered, eventId, said, started } from '../log-of.ts'
import {
  DIR,
  ID,
  LOG,
  event,
  idsOf,
  inHome,
  inLines,
  linesOf,
  openWriter,
  readAll,
  scripted,
  twoTurns,
  withEngine,
} from './on-disk.ts'
import { recording } from './recording.ts'
import { converse } from '../support/engine.ts'

const lines = linesOf([
  ...twoTurns.slice(0, 3),
  { stranger: 'of.tomorrow', data: { x: 1 } },
  ...twoTurns.slice(3),
])
const odd = lines.map((line) => line.replace('"data":{', '"data": {"n":1.000000000000000000001e2,'))
const whole = inLines(odd)

test('format §8.1, format §8.6, format §9.2: a rewind keeps the bytes before it, a redo brings back those after it', () =>
  inHome(async ({ fs, write, text, names }) => {
    for (const number of [2, 3, 4, 5, 6]) {
      write(LOG, whole)
      const log = await openWriter(fs)
      await log.truncateBefore(event(number))
      assert.equal(text(LOG), inLines(odd.slice(0, number - 1)))
      assert.equal(text(`${DIR}/.reprise/rewound/001.jsonl`), inLines(odd.slice(number - 1)))
      await log.redo()
      await log.close()
      assert.equal(text(LOG), whole)
      assert.deepEqual(names(`${DIR}/.reprise/rewound`), [])
    }
  }))

test('format §8.2: the removed bytes and their description are durable before the cut', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, whole)
    const { watched, calls } = recording(fs)
    const log = await openWriter(watched)
    await log.truncateBefore(event(5))
    await log.close()
    const order = [
      calls.indexOf(`sync ${DIR}/.reprise/rewound/001.jsonl`),
      calls.indexOf(`writeAtomic durable ${DIR}/.reprise/rewound/001.json`),
      calls.findIndex((call) => call.startsWith(`truncate ${LOG} `)),
      calls.lastIndexOf(`sync ${LOG}`),
    ]
    assert.ok(!order.includes(-1), calls.join('\n'))
    assert.deepEqual(
      order.toSorted((one, other) => one - other),
      order,
    )
  }))

test('format §8.3, format §8.4: neither the first event nor an unknown one can be removed, and nothing changes', () =>
  inHome(async ({ fs, write, text, names }) => {
    write(LOG, whole)
    const log = await openWriter(fs)
    await assert.rejects(log.truncateBefore(event(1)), { name: 'StartNotRemovable' })
    await assert.rejects(log.truncateBefore(event(77)), { name: 'EventNotFound' })
    await log.close()
    assert.equal(text(LOG), whole)
    assert.deepEqual(names(`${DIR}/.reprise/rewound`), [])
  }))

test('format §8.5: a checkpoint that a rewind removed is kept aside', () =>
  inHome(async ({ fs, names, text }) =>
    withEngine(fs, async (engine) => {
      const { id } = await engine.create()
      await converse(engine, id, { prompt: 'one' })
      await (await engine.open(id)).compact()
      const dir = `session-state/${id}`
      const file = names(`${dir}/checkpoints`).find((name) => name.startsWith('001-')) ?? ''
      const summary = text(`${dir}/checkpoints/${file}`)
      await (await engine.open(id)).undo()
      assert.deepEqual(names(`${dir}/checkpoints`), ['index.md'])
      assert.equal(text(`${dir}/.reprise/rewound/checkpoints/${file}`), summary)
    }),
  ))

test('format §8.7: a redo is refused once the session has gone on, and what was removed stays', () =>
  inHome(async ({ fs, write, text, names }) => {
    write(LOG, whole)
    const log = await openWriter(fs)
    await log.truncateBefore(event(5))
    await log.append([said('something else')])
    const gone = text(LOG)
    await assert.rejects(log.redo(), { name: 'NothingToRedo' })
    await log.close()
    assert.equal(text(LOG), gone)
    assert.deepEqual(names(`${DIR}/.reprise/rewound`), ['001.json', '001.jsonl'])
  }))

test('format §8.8: a redo that is under way has not happened', () =>
  inHome(async ({ fs, write }) => {
    const kept = inLines(odd.slice(0, 4))
    write(LOG, whole)
    write(
      `${DIR}/.reprise/redo.json`,
      JSON.stringify({ entry: '001', from: Buffer.byteLength(kept), to: Buffer.byteLength(whole) }),
    )
    assert.equal(await readableSize(fs, DIR), Buffer.byteLength(kept))
    await withEngine(fs, async (engine) => {
      assert.equal((await (await engine.open(ID)).events()).events.length, 4)
      assert.equal((await (await engine.open(ID)).state()).eventCount, 4)
    })
    write(`${DIR}/.reprise/redo.json`, '{}')
    assert.equal(await readableSize(fs, DIR), Buffer.byteLength(whole))
  }))

test('the worked example is what happens', () =>
  inHome(async ({ fs, write, text, names }) => {
    const { before, redo, meta, fork } = example()
    const source = '8d3f1c9e-52b7-4e0a-9c44-6a1b0d2e7f35' as SessionId
    const dir = `session-state/${source}`
    const kept = before.split('\n').slice(0, 5)
    write(`${dir}/events.jsonl`, before)
    write(`${dir}/plan.md`, 'The plan.')
    // The first is that of the session's resume, which is told and never written here.
    const ids = [
      eventId(10),
      'c2a7e5d1-0b64-4f39-8e17-93d5b8f60a24',
      ...[11, 12, 13, 14, 15].map(eventId),
    ]
    const clock = () => new Date('2026-03-02T10:00:00.000Z')

    await withEngine(
      fs,
      async (engine) => {
        const { sessionId } = await (await engine.open(source)).fork({ before: event(6) })
        assert.equal(text(`session-state/${sessionId}/events.jsonl`), fork)
        assert.equal(names(`session-state/${sessionId}`).includes('plan.md'), false)
      },
      { clock, newId: () => ids.shift() ?? crypto.randomUUID() },
    )

    write(`${dir}/events.jsonl`, before)
    const { watched, calls } = recording(fs)
    await withEngine(
      watched,
      async (engine) => {
        await (await engine.open(source)).rewind(event(6))
        assert.equal(text(`${dir}/events.jsonl`), inLines(kept))
        assert.deepEqual(JSON.parse(text(`${dir}/.reprise/rewound/001.json`)), meta)
        await (await engine.open(source)).redo()
        assert.equal(text(`${dir}/events.jsonl`), before)
        assert.ok(calls.includes(`writeAtomic durable ${dir}/.reprise/redo.json`))
        assert.deepEqual(redo, {
          entry: '001',
          from: meta.cutAt,
          to: meta.cutAt + meta.removedBytes,
        })
        assert.deepEqual(names(`${dir}/.reprise/rewound`), [])
      },
      { clock },
    )
  }))

/** The blocks of section 8. */
function example() {
  const text = readFileSync(join(import.meta.dirname, '../../docs/format.md'), 'utf8')
  const section = text.slice(text.indexOf('## 8. '), text.indexOf('## 9. '))
  const blocks = [...section.matchAll(/^```jsonl?\n([^]*?)^```$/gm)].map(([, each = '']) => each)
  const [redo = '', _forget, before = '', meta = '', fork = ''] = blocks
  return {
    redo: JSON.parse(redo) as unknown,
    before,
    meta: JSON.parse(meta) as { cutAt: number; removedBytes: number },
    fork,
  }
}

test('format §8.13: a checkpoint is durable before the event that names it', () =>
  inHome(async ({ fs }) => {
    const { watched, calls } = recording(fs)
    await withEngine(watched, async (engine) => {
      const { id } = await engine.create()
      await converse(engine, id, { prompt: 'one' })
      await (await engine.open(id)).compact()
    })
    const file = calls.findIndex((call) => /^writeAtomic durable .*\/checkpoints\/001-/.test(call))
    const named = calls.findIndex((call) => /^write .*session\.compaction_complete/s.test(call))
    assert.ok(file !== -1 && file < named, calls.join('\n'))
  }))

test('format §8.14: a compaction without success changes nothing for the model', () =>
  inHome(async ({ fs }) => {
    const agent = { ...scripted(), summarise: () => Promise.reject(new Error('no summary today')) }
    await withEngine(
      fs,
      async (engine) => {
        const { id } = await engine.create()
        await converse(engine, id, { prompt: 'keep this' })
        const before = (await (await engine.open(id)).state()).contextFrom
        await assert.rejects((await engine.open(id)).compact(), /no summary today/)
        const after = await (await engine.open(id)).state()
        assert.equal(after.contextFrom, before)
        assert.deepEqual(after.compaction.checkpoints, [])
        const { records } = await readAll(fs, `session-state/${id}/events.jsonl`)
        assert.deepEqual(
          projectModelContext(records).messages.map(({ content }) => content),
          ['keep this', 'An answer.'],
        )
      },
      { agent },
    )
  }))

test('format §8.6: what a redo brings back is read as before', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, inLines(linesOf([started(), said('a'), answered('b'), said('c')])))
    const log = await openWriter(fs)
    await log.truncateBefore(event(3))
    const restored: LogRecord[] = []
    await log.redo({ onRestored: (records) => restored.push(...records) })
    await log.close()
    assert.deepEqual(idsOf(restored), [eventId(3), eventId(4)])
    assert.deepEqual(idsOf((await readAll(fs, LOG)).records), [1, 2, 3, 4].map(eventId))
  }))

test('format §8.15: a version of the plan is durable before the event that tells of its change', () =>
  inHome(async ({ fs }) => {
    const { watched, calls } = recording(fs)
    await withEngine(watched, async (engine) => {
      const { id } = await engine.create()
      await converse(engine, id, { prompt: 'one' })
      await (await engine.open(id)).writePlan('A plan.')
    })
    const order = [
      calls.findIndex((call) => /^writeAtomic durable .*\/\.reprise\/files\/blobs\//.test(call)),
      calls.findIndex((call) => /^write .*\/changes\.jsonl .*"kind":"workspace"/s.test(call)),
      calls.findIndex((call) => /^sync .*\/changes\.jsonl$/.test(call)),
      calls.findIndex((call) => /^write .*session\.plan_changed/s.test(call)),
    ]
    assert.ok(!order.includes(-1), calls.join('\n'))
    assert.deepEqual(
      order.toSorted((one, other) => one - other),
      order,
    )
  }))

test('format §8.16, format §8.17: a rewind leaves what is not as recorded, and its redo brings back the rest', () =>
  inHome(async ({ fs, write, text, names }) => {
    await withEngine(fs, async (engine) => {
      const { id } = await engine.create()
      const dir = `session-state/${id}`
      await converse(engine, id, { prompt: 'one' })
      await (await engine.open(id)).writePlan('recorded')
      await (await engine.open(id)).writeFile('files/a.md', Buffer.from('a'))
      write(`${dir}/plan.md`, 'by hand')
      write(`${dir}/files/unknown.md`, 'unknown')
      await (await engine.open(id)).undo()
      assert.equal(text(`${dir}/plan.md`), 'by hand')
      assert.deepEqual(names(`${dir}/files`), ['unknown.md'])
      write(`${dir}/files/unknown.md`, 'changed meanwhile')
      await (await engine.open(id)).redo()
      assert.equal(text(`${dir}/plan.md`), 'by hand')
      assert.equal(text(`${dir}/files/a.md`), 'a')
      assert.equal(text(`${dir}/files/unknown.md`), 'changed meanwhile')
      assert.deepEqual(names(`${dir}/.reprise/rewound`), [])
      await (await engine.open(id)).undo({ mode: 'conversation' })
      await (await engine.open(id)).redo()
      assert.equal(text(`${dir}/files/a.md`), 'a')
    })
  }))

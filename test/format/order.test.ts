/** docs/format.md, sections 5, 6 and 7: the first line, types, order and identity. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import { validateModelContext } from '../support/validate-context.ts'
import { answered, eventId, gave, logOf, ran, said, started } from '../log-of.ts'
import {
  DIR,
  ID,
  LOG,
  event,
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
import { converse } from '../support/engine.ts'

const lines = linesOf(twoTurns)
const ids = [1, 2, 3, 4, 5].map(eventId)

test('format §5.1: a log begins with session.start, without a parent, with the name of its folder', () =>
  inHome(async ({ fs }) =>
    withEngine(fs, async (engine) => {
      const { id } = await engine.create()
      await converse(engine, id, { prompt: 'hello' })
      const { records } = await readAll(fs, `session-state/${id}/events.jsonl`)
      const [first] = records
      assert.deepEqual([first!.event.type, first!.event.parentId], ['session.start', null])
      const { sessionId, version, producer } = first!.event.data as Record<string, unknown>
      assert.deepEqual(
        { sessionId, version, producer },
        { sessionId: id, version: 1, producer: 'reprise' },
      )
    }),
  ))

test('format §5.2: a start that names another session is reported, and the folder counts', () =>
  inHome(async ({ fs, write }) => {
    const other = '99999999-9999-4999-8999-999999999999'
    write(LOG, inLines(linesOf([started({ sessionId: other }), ...twoTurns.slice(1)])))
    const { records, findings } = await readAll(fs, LOG, { sessionId: ID })
    assert.deepEqual(idsOf(records), ids)
    assert.deepEqual(kindsOf(findings), ['foreign_start'])
    await withEngine(fs, async (engine) => {
      assert.deepEqual(
        (await engine.list()).map(({ id }) => id),
        [ID],
      )
      await converse(engine, ID, { prompt: 'go on' })
      await assert.rejects((await engine.open(other as SessionId)).resume(), { code: 'not_found' })
    })
  }))

test('format §5.3: a log without a start is read and reported, and not written to', () =>
  inHome(async ({ fs, write, text }) => {
    write(LOG, inLines(lines.slice(1)))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids.slice(1))
    assert.ok(kindsOf(findings).includes('no_start'))
    await withEngine(fs, async (engine) => {
      await assert.rejects(converse(engine, ID, { prompt: 'go on' }), { code: 'corrupt' })
      assert.equal((await (await engine.open(ID)).events()).events.length, 4)
    })
    assert.equal(text(LOG), inLines(lines.slice(1)))
  }))

test('format §5.4: a log of a later version is read and goes on', () =>
  inHome(async ({ fs, write }) => {
    write(
      LOG,
      inLines(linesOf([started({ version: 99 }), said('hello'), { stranger: 'of.tomorrow' }])),
    )
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual([records.length, findings], [3, []])
    await withEngine(fs, async (engine) => {
      const { status } = await converse(engine, ID, { prompt: 'go on' })
      assert.equal(status, 'completed')
    })
  }))

test('format §6.1: values and shapes that are not listed are let through', () =>
  inHome(async ({ fs, write }) => {
    const drafts: Draft[] = [
      started(),
      { type: 'session.plan_changed', data: { operation: 'dreamt' } },
      { type: 'abort', data: { reason: 'earthquake' } },
      {
        type: 'permission.completed',
        data: { requestId: 'p', result: { kind: 'of-tomorrow', more: 1 } as never },
      },
    ]
    write(LOG, inLines(linesOf(drafts)))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(
      records.map(({ event: each }) => 'stranger' in each),
      [false, false, false, false],
    )
    assert.deepEqual(findings, [])
  }))

test('format §6.2: a known type in a wrong shape is kept and reported, and means nothing', () =>
  inHome(async ({ fs, write }) => {
    const wrong = { type: 'user.message', data: { content: 7 } } as unknown as Draft
    const empty = { type: 'user.message', data: {} } as unknown as Draft
    write(LOG, inLines(linesOf([started(), said('hello'), wrong, empty])))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(kindsOf(findings), ['invalid_shape', 'invalid_shape'])
    assert.deepEqual(
      records.map(({ event: each }) => 'stranger' in each),
      [false, false, true, true],
    )
    assert.deepEqual(
      projectModelContext(records).messages.map(({ content }) => content),
      ['hello'],
    )
  }))

test('format §6.3: a model is given no reasoning, no call without a result and no result without a call', () => {
  const log = logOf([
    started(),
    said('hello'),
    { type: 'assistant.reasoning', data: { reasoningId: 'r', content: 'SECRET THOUGHT' } },
    gave('nobody-asked', 'orphan'),
    answered('', 'call-1', 'call-2'),
    ran('call-1'),
    gave('call-1', 'result'),
  ])
  for (let length = 1; length <= log.length; length++) {
    const context = projectModelContext(log.slice(0, length))
    assert.deepEqual(validateModelContext(context), [])
    assert.doesNotMatch(JSON.stringify(context), /SECRET THOUGHT|orphan/)
  }
})

test('format §7.1: the place in the file is the order, whatever the clock said', () =>
  inHome(async ({ fs, write }) => {
    const years = [2030, 2001, 2025, 1999, 2040]
    const shuffled = lines.map((line, index) =>
      line.replace(/"timestamp":"\d{4}/, `"timestamp":"${years[index]}`),
    )
    write(LOG, inLines(shuffled))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual([idsOf(records), findings], [ids, []])
    await withEngine(fs, async (engine) => {
      const { events } = await (await engine.open(ID)).events()
      assert.deepEqual(
        events.map(({ id }) => id),
        ids,
      )
    })
  }))

test('format §7.2: each event names the one before it, also across writers, rewinds and a mended tail', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, `${inLines(lines)}{"type":"torn`)
    const first = await openWriter(fs, { newId: () => eventId(10) })
    await first.append([said('third')])
    await first.truncateBefore(event(4))
    await first.close()
    const second = await openWriter(fs, { newId: () => eventId(11) })
    await second.append([said('other')])
    await second.close()
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(
      records.map(({ event: { id, parentId } }) => [id, parentId]),
      [
        [eventId(1), null],
        [eventId(2), eventId(1)],
        [eventId(3), eventId(2)],
        [eventId(11), eventId(3)],
      ],
    )
    assert.deepEqual(findings, [])
  }))

test('format §7.3: a broken chain is reported and the event kept; an absent parent is no break', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, inLines([lines[0]!, lines[1]!, lines[3]!, lines[4]!]))
    const broken = await readAll(fs, LOG)
    assert.deepEqual(idsOf(broken.records), [1, 2, 4, 5].map(eventId))
    assert.deepEqual(kindsOf(broken.findings), ['chain_break'])
    write(LOG, inLines(lines.map((line) => line.replace(/,"parentId":(null|"[^"]+")/, ''))))
    const bare = await readAll(fs, LOG)
    assert.deepEqual([idsOf(bare.records), bare.findings], [ids, []])
  }))

test('format §7.4: a repetition is left out and reported; the same id with other bytes is kept', () =>
  inHome(async ({ fs, write }) => {
    const again = lines[1]!
    write(LOG, `${inLines([...lines, again])}${again}\r\n`)
    const repeated = await readAll(fs, LOG)
    assert.deepEqual(idsOf(repeated.records), ids)
    assert.deepEqual(kindsOf(repeated.findings), ['duplicate', 'duplicate'])
    write(LOG, inLines([...lines, again.replace('first', 'other')]))
    const other = await readAll(fs, LOG)
    assert.deepEqual(idsOf(other.records), [...ids, eventId(2)])
    assert.deepEqual(kindsOf(other.findings), ['chain_break'])
  }))

test('format §7.5, format §8.9: a fork has the ids of its source', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, inLines(lines))
    await withEngine(fs, async (engine) => {
      const { sessionId } = await (await engine.open(ID)).fork()
      const { events } = await (await engine.open(sessionId)).events()
      assert.deepEqual(
        events.slice(0, 5).map(({ id }) => id),
        ids,
      )
      assert.equal((await readAll(fs, `${DIR}/events.jsonl`)).records[0]?.event.id, events[0]?.id)
    })
  }))

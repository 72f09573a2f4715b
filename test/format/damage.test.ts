/** docs/format.md, section 11: what may be found after a crash or damage, and what is made of it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { mendLog } from '../../src/log/mend.ts'
import { said, eventId } from '../log-of.ts'
import {
  DIR,
  ID,
  LOG,
  freshIds,
  idsOf,
  inHome,
  inLines,
  kindsOf,
  event,
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
const whole = inLines(lines)
const [first = '', second = '', third = ''] = lines

const hashOf = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 8)
const mendOptions = { clock: () => new Date('2026-03-02T10:00:00.000Z'), newId: freshIds() }

test('format §11.1: a torn tail is durable beside the log before it is cut off', () =>
  inHome(async ({ fs, write, text }) => {
    const torn = '{"type":"user.mess\xe9'
    write(LOG, `${whole}${torn}`)
    const { watched, calls } = recording(fs)
    const log = await openWriter(watched)
    assert.deepEqual(kindsOf(log.mended), ['torn_tail'])
    await log.close()
    const kept = `${DIR}/.reprise/torn/${Buffer.byteLength(whole)}-${hashOf(torn)}.bin`
    assert.equal(text(kept), torn)
    assert.equal(text(LOG), whole)
    const cut = calls.indexOf(`truncate ${LOG} ${Buffer.byteLength(whole)}`)
    assert.ok(calls.indexOf(`sync ${kept}`) < cut && calls.includes(`sync ${kept}`))
  }))

test('format §11.2: NUL bytes are taken out and the rest of the line is read', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, `\0\0${first}\n${second.slice(0, 30)}\0\0\0${second.slice(30)}\n\0\0\n${third}\n`)
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids.slice(0, 3))
    assert.deepEqual(kindsOf(findings), ['nul', 'nul', 'nul'])
  }))

test('format §11.3: every whole event of a line is read', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, `${first}${second}\n${third.slice(0, 50)}${third}\n`)
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids.slice(0, 3))
    assert.deepEqual(kindsOf(findings).sort(), ['damaged', 'glued', 'half'])
  }))

test('format §11.4: bytes that are no event are reported with their range, and reading goes on', () =>
  inHome(async ({ fs, write }) => {
    const noise = 'not json at all'
    write(LOG, inLines([first, noise, second]))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids.slice(0, 2))
    const start = first.length + 1
    assert.deepEqual(
      findings.map(({ kind, start: from, end, recovered }) => [kind, from, end, recovered]),
      [['damaged', start, start + noise.length, false]],
    )
  }))

test('format §11.5: bytes that are not UTF-8 become U+FFFD, and the event is kept', () =>
  inHome(async ({ fs, write }) => {
    const bytes = Buffer.from(whole)
    bytes[bytes.indexOf('first question')] = 0xff
    write(LOG, bytes)
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(records[1]?.event.data, { content: '\ufffdirst question' })
    assert.deepEqual(kindsOf(findings), ['invalid_utf8'])
  }))

test('format §11.6: a line made to be searched for ever is given up, and what follows it is read', () =>
  inHome(async ({ fs, write }) => {
    const hostile = '{"type":'.repeat(200_000)
    write(LOG, inLines([first, hostile, second]))
    const { records, findings } = await readAll(fs, LOG)
    assert.deepEqual(idsOf(records), ids.slice(0, 2))
    assert.deepEqual(
      findings.map(({ kind, start, end }) => [kind, end - start]),
      [['damaged', hostile.length]],
    )
  }))

test('format §11.7: a rewind that never came to its cut is forgotten, and what the log does not hold stays', () =>
  inHome(async ({ fs, write, text, names }) => {
    const cutAt = Buffer.byteLength(inLines(lines.slice(0, 3)))
    const rest = inLines(lines.slice(3))
    const meta = {
      version: 1,
      upToEventId: event(4),
      eventsRemoved: 2,
      cutAt,
      lastKeptId: event(3),
      removedBytes: rest.length,
      rewoundAt: '2026-03-02T10:00:00.000Z',
    }
    const folder = `${DIR}/.reprise/rewound`
    write(LOG, whole)
    write(`${folder}/001.jsonl`, rest.slice(0, 40))
    write(`${folder}/002.jsonl`, rest)
    write(`${folder}/002.json`, JSON.stringify(meta))
    await (await openWriter(fs)).close()
    assert.deepEqual(names(folder), [])
    assert.equal(text(LOG), whole)

    write(LOG, inLines(lines.slice(0, 3)))
    write(`${folder}/001.jsonl`, rest)
    write(`${folder}/001.json`, JSON.stringify(meta))
    await (await openWriter(fs)).close()
    assert.deepEqual(names(folder), ['001.json', '001.jsonl'])

    for (const [name, content] of [
      ['003.jsonl', rest],
      ['003.jsonl', rest.slice(0, rest.indexOf('\n') - 1)],
      ['003.json', JSON.stringify(meta)],
    ] as const) {
      write(`${folder}/${name}`, content)
      await (await openWriter(fs)).close()
      assert.deepEqual(names(folder), ['001.json', '001.jsonl', name])
      await fs.remove(`${folder}/${name}`)
    }
  }))

test('format §11.8: a redo is finished when all its bytes are there, and else taken back', () =>
  inHome(async ({ fs, write, text, names }) => {
    const folder = `${DIR}/.reprise/rewound`
    const kept = inLines(lines.slice(0, 3))
    for (const written of [whole.length, whole.length - 1, kept.length + 40, kept.length]) {
      write(LOG, whole)
      const log = await openWriter(fs)
      await log.truncateBefore(event(4))
      await log.close()
      write(LOG, whole.slice(0, written))
      const intent = { entry: '001', from: kept.length, to: whole.length }
      write(`${DIR}/.reprise/redo.json`, JSON.stringify(intent))
      await (await openWriter(fs)).close()
      const isDone = written === whole.length
      assert.equal(text(LOG), isDone ? whole : kept)
      assert.deepEqual(names(folder), isDone ? [] : ['001.json', '001.jsonl'])
      assert.equal(names(`${DIR}/.reprise`).includes('redo.json'), false)
    }
  }))

const odd = second.replace('"data":{', '"data": {"n":1.0e0,')
const damaged = `\ufeff${first}\nnoise\n${odd}\n${third}${lines[3]}\n{"type":"torn`

test('format §11.9, format §11.11: a mending keeps the log as it was and every range that it takes out', () =>
  inHome(async ({ fs, write, text, names }) => {
    write(LOG, damaged)
    const report = await mendLog(fs, DIR, mendOptions)
    assert.equal(text(LOG), inLines([first, odd, third, lines[3] ?? '']))
    assert.equal(text(`${DIR}/.reprise/before-mend-1.jsonl`), damaged)
    const at = (piece: string) => Buffer.from(damaged).indexOf(piece)
    const pieces = ['noise', '{"type":"torn'].map((piece) => ({
      name: `${at(`${piece}${piece === 'noise' ? '\n' : ''}`)}-${hashOf(piece)}.bin`,
      piece,
    }))
    assert.deepEqual(names(`${DIR}/.reprise/quarantine`), pieces.map(({ name }) => name).sort())
    for (const { name, piece } of pieces) {
      assert.equal(text(`${DIR}/.reprise/quarantine/${name}`), piece)
    }
    assert.deepEqual([report.changed, report.events, report.lost.length], [true, 4, 2])
  }))

test('format §11.10: a mending leaves sound lines alone, and a sound log altogether', () =>
  inHome(async ({ fs, write, text, names }) => {
    write(LOG, damaged)
    await mendLog(fs, DIR, mendOptions)
    const mended = text(LOG)
    assert.ok(mended.includes(odd))
    const again = await mendLog(fs, DIR, mendOptions)
    assert.equal(again.changed, false)
    assert.equal(text(LOG), mended)
    assert.deepEqual(
      names(`${DIR}/.reprise`).filter((name) => name.startsWith('before-mend')),
      ['before-mend-1.jsonl'],
    )
  }))

test('format §11.11: a session that cannot be read is left where it is', () =>
  inHome(async ({ fs, write, text, names }) => {
    const noise = 'nothing of this is an event\n\0\0\0\n'
    write(LOG, noise)
    write(`${DIR}/workspace.yaml`, 'id: [')
    await withEngine(fs, async (engine) => {
      await engine.list()
      await assert.rejects((await engine.open(ID)).resume(), { code: 'corrupt' })
      await assert.rejects(converse(engine, ID, { prompt: 'go on' }), { code: 'corrupt' })
      await engine.prune({ olderThanDays: 0, keepNamed: false, dryRun: true })
    })
    assert.equal(text(LOG), noise)
    assert.equal(text(`${DIR}/workspace.yaml`), 'id: [')
    assert.deepEqual(names('session-state'), [ID])
  }))

test('format §11.9: a missing start is made anew, and the chain is whole again', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, inLines(lines.slice(1)))
    const [draft] = twoTurns
    assert.ok(draft?.type === 'session.start')
    await mendLog(fs, DIR, { ...mendOptions, start: draft })
    const { records, findings } = await readAll(fs, LOG, { sessionId: ID })
    assert.deepEqual([idsOf(records), findings], [ids, []])
    const log = await openWriter(fs)
    await log.append([said('goes on')])
    await log.close()
  }))

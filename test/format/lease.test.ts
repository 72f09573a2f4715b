/** docs/format.md, section 10: several processes, one log. The lease itself is proved in src/log/lease.test.ts. */
import assert from 'node:assert/strict'
import { appendFileSync, lstatSync, openSync, closeSync, writeSync } from 'node:fs'
import { test } from 'node:test'
import type { FeedItem } from '../../src/engine/live/feed.ts'
import { eventId, said } from '../log-of.ts'
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
  twoTurns,
  withEngine,
} from './on-disk.ts'
import { converse } from '../support/engine.ts'

const lines = linesOf(twoTurns)
const whole = inLines(lines)
const ids = [1, 2, 3, 4, 5].map(eventId)

test('format §10.6: after a living holder was overtaken, what it still writes reaches nobody', () =>
  inHome(async ({ fs, write, file, text }) => {
    write(LOG, whole)
    const frozen = openSync(file(LOG), 'a')
    try {
      const before = lstatSync(file(LOG)).ino
      const log = await openWriter(fs, { replaceInode: true })
      assert.notEqual(lstatSync(file(LOG)).ino, before)
      await log.append([said('from the new holder')])
      writeSync(frozen, 'FROM THE OLD ONE\n')
      await log.append([said('and once more')])
      await log.close()
      assert.doesNotMatch(text(LOG), /FROM THE OLD ONE/)
      assert.ok(text(LOG).startsWith(whole))
      assert.deepEqual((await readAll(fs, LOG)).findings, [])
    } finally {
      closeSync(frozen)
    }
  }))

test('format §10.7: a session that a living process of another program has open is left to it', () =>
  inHome(async ({ fs, write, text }) => {
    write(LOG, whole)
    const other = process.ppid
    write(`${DIR}/inuse.${other}.lock`, String(other))
    await withEngine(fs, async (engine) => {
      await assert.rejects(converse(engine, ID, { prompt: 'mine' }, { waitMs: 0 }), {
        code: 'in_use',
      })
      const [removal] = await engine.remove([ID])
      assert.equal(removal?.outcome, 'kept')
    })
    assert.equal(text(LOG), whole)
  }))

test('format §10.8: without a lease, whole lines can be read while somebody writes', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, inLines(lines.slice(0, 1)))
    await withEngine(fs, async (engine) => {
      await converse(engine, ID, { prompt: 'held by this engine' })
      const { records } = await readAll(fs, LOG, { wholeLinesOnly: true })
      assert.equal(records[0]?.event.id, eventId(1))
    })
    for (const tail of ['{"type":"us', lines[1] ?? '']) {
      write(LOG, `${lines[0]}\n${tail}`)
      const { records, findings } = await readAll(fs, LOG, { wholeLinesOnly: true })
      assert.deepEqual([idsOf(records), findings], [[eventId(1)], []])
    }
  }))

test('format §10.9: whoever follows a log begins again after a rewind', { timeout: 30_000 }, () =>
  inHome(async ({ fs, write, file }) => {
    write(LOG, whole)
    await withEngine(fs, async (engine) => {
      const followed = (await engine.open(ID)).follow()
      assert.deepEqual(await seenUntil(followed, eventId(5)), ids)

      appendFileSync(file(LOG), '{"type":"half')
      const log = await openWriter(fs)
      await log.truncateBefore(event(4))
      const reset = `reset ${lines.slice(0, 3).join('\n').length + 1}`
      assert.deepEqual(await seenUntil(followed, reset), [reset])
      await log.append([said('another way')])
      await log.close()
      assert.deepEqual(await seenUntil(followed, eventId(1000)), [eventId(1000)])
      await followed.return()
    })
  }),
)

/** The ids of events and the places of resets, until this event was there. */
async function seenUntil(followed: AsyncGenerator<FeedItem>, last: string): Promise<string[]> {
  const seen: string[] = []
  while (seen.at(-1) !== last) {
    const { value } = await followed.next()
    if (value.kind === 'event') seen.push(value.event.id)
    if (value.kind === 'reset') seen.push(`reset ${value.end}`)
  }
  return seen
}

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { openDisk } from '../fs/disk.ts'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import {
  DIR,
  LOG,
  dyingAt,
  idOf,
  lineOf,
  message,
  openSample,
  startDraft,
  startLine,
  writeLog,
} from './sample-log.ts'
import { followLog } from './tail.ts'

/** Follows and lets a test wait until so many things have been seen: ids by number, or 'reset'. */
function follower(fs: SessionFs, from = 0) {
  const stop = new AbortController()
  const seen: (number | 'reset')[] = []
  let wanted = 0
  let reached = Promise.withResolvers<void>()
  const ended = (async () => {
    for await (const batch of followLog(fs, DIR, { from, signal: stop.signal })) {
      if ('reset' in batch) seen.push('reset')
      else seen.push(...batch.records.map(({ event }) => Number(event.id.slice(-12))))
      if (seen.length >= wanted) reached.resolve()
    }
  })()
  return {
    async until(count: number) {
      wanted = count
      reached = Promise.withResolvers()
      if (seen.length < count) await reached.promise
      return seen
    },
    async stop() {
      stop.abort()
      await ended
      return seen
    },
  }
}

describe('following a log', () => {
  test('gives what is there and what comes, once and in order', async (t) => {
    const root = await mkdtemp(path.join(tmpdir(), 'reprise-tail-'))
    t.after(() => rm(root, { recursive: true }))
    for (const fs of [openMemory(), openDisk(root, { pollMs: 20 })]) {
      const log = await openSample(fs)
      await log.append([startDraft, message('a')])
      const follow = follower(fs)
      assert.deepEqual(await follow.until(2), [1, 2])
      for (let round = 0; round < 10; round++) await log.append([message('x'), message('y')])
      assert.deepEqual(
        await follow.until(22),
        Array.from({ length: 22 }, (_, index) => index + 1),
      )
      await log.close()
      await follow.stop()
    }
  })

  test('waits for a log and a folder that do not exist yet', async (t) => {
    const root = await mkdtemp(path.join(tmpdir(), 'reprise-tail-'))
    t.after(() => rm(root, { recursive: true }))
    for (const fs of [openMemory(), openDisk(root, { pollMs: 20 })]) {
      const follow = follower(fs)
      const log = await openSample(fs)
      await log.append([startDraft])
      assert.deepEqual(await follow.until(1), [1])
      await log.close()
      await follow.stop()
    }
  })

  test('reads only whole lines', async () => {
    const fs = openMemory()
    await writeLog(fs, `${startLine()}\n`)
    const follow = follower(fs)
    await follow.until(1)
    const file = await fs.openAppend(LOG)
    const line = Buffer.from(`${lineOf(2)}\n${lineOf(3)}\n`)
    for (let at = 0; at < line.length; at++) {
      await file.write([line.subarray(at, at + 1)], startLine().length + 1 + at)
    }
    assert.deepEqual(await follow.until(3), [1, 2, 3])
    await follow.stop()
  })

  test('says that the log was rewound, also when it has grown beyond the place since', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    await log.append([startDraft, message('a'), message('b')])
    const follow = follower(fs)
    await follow.until(3)
    await log.truncateBefore(idOf(3))
    assert.deepEqual(await follow.until(6), [1, 2, 3, 'reset', 1, 2])
    await log.append([message('c'), message('d'), message('e')])
    assert.deepEqual(await follow.until(9), [1, 2, 3, 'reset', 1, 2, 4, 5, 6])
    const bytes = (await fs.read(LOG))!
    await writeLog(fs, Buffer.from(bytes).toString().replace('"e"', '"f"') + `${lineOf(7)}\n`)
    const seen = await follow.until(16)
    assert.deepEqual(seen.slice(9), ['reset', 1, 2, 4, 5, 6, 7])
    await log.close()
    await follow.stop()
  })

  test('does not mind when the same bytes get another file', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    await log.append([startDraft])
    const follow = follower(fs)
    await follow.until(1)
    await fs.copy(LOG, LOG)
    const other = await openSample(fs, { newId: () => idOf(2) })
    await other.append([message('a')])
    assert.deepEqual(await follow.until(2), [1, 2])
    await Promise.all([log.close(), other.close()])
    await follow.stop()
  })

  test('sees a redo when it is done, not before', async () => {
    const fs = openMemory()
    const log = await openSample(fs)
    await log.append([startDraft, message('a'), message('b')])
    await log.truncateBefore(idOf(2))
    await log.close()
    await openSample(dyingAt(fs, 4).fs)
      .then((dying) => dying.redo())
      .catch(() => {})
    const follow = follower(fs)
    assert.deepEqual(await follow.until(1), [1])
    const again = await openSample(fs)
    const expected = again.size > startLine().length + 1 ? [1, 2, 3] : [1]
    assert.deepEqual(await follow.until(expected.length), expected)
    if (expected.length === 1) await again.redo()
    assert.deepEqual(await follow.until(3), [1, 2, 3])
    await again.close()
    await follow.stop()
  })

  test('begins at a place, and begins anew when the log is shorter', async () => {
    const fs = openMemory()
    await writeLog(fs, `${startLine()}\n${lineOf(2)}\n`)
    const later = follower(fs, startLine().length + 1)
    assert.deepEqual(await later.until(1), [2])
    await later.stop()
    const beyond = follower(fs, 1e6)
    assert.deepEqual(await beyond.until(3), ['reset', 1, 2])
    await beyond.stop()
  })

  test('does nothing while nothing happens', async () => {
    const memory = openMemory()
    await writeLog(memory, `${startLine()}\n`)
    let looks = 0
    const fs: SessionFs = { ...memory, stat: (file) => ((looks += 1), memory.stat(file)) }
    const follow = follower(fs)
    await follow.until(1)
    for (let round = 0; round < 50; round++) await new Promise(setImmediate)
    assert.ok(looks < 10, `${looks} looks`)
    await follow.stop()
  })
})

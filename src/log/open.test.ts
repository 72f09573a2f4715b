import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openDisk } from '../fs/disk.ts'
import { openMemory } from '../fs/memory.ts'
import {
  DIR,
  LOG,
  atEveryStep,
  countingIds,
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

const TORN = `${DIR}/.reprise/torn`

test('a torn tail is cut off and kept aside', async () => {
  const fs = openMemory()
  await writeLog(fs, `${startLine()}\n{"type":"us`)
  const log = await openSample(fs, { newId: countingIds(2) })
  assert.deepEqual(
    log.mended.map(({ kind }) => kind),
    ['torn_tail'],
  )
  assert.equal(await logText(fs), `${startLine()}\n`)
  const [piece] = await fs.list(TORN)
  assert.match(piece!.name, new RegExp(`^${startLine().length + 1}-[0-9a-f]{8}\\.bin$`))
  assert.equal(Buffer.from((await fs.read(`${TORN}/${piece!.name}`))!).toString(), '{"type":"us')
  await log.append([message('on')])
  assert.deepEqual((await readAll(fs)).findings, [])
  await log.close()
})

test('a record without its newline gets it', async () => {
  const fs = openMemory()
  await writeLog(fs, `${startLine()}\n${lineOf(2)}`)
  const log = await openSample(fs)
  assert.deepEqual(
    log.mended.map(({ kind }) => kind),
    ['missing_newline'],
  )
  assert.deepEqual([await logText(fs), log.lastId], [`${startLine()}\n${lineOf(2)}\n`, idOf(2)])
  await log.close()
})

test('a sound log is opened without a change', async () => {
  const fs = openMemory()
  await writeLog(fs, `${startLine()}\n${lineOf(2)}\n`)
  const before = await fs.stat(LOG)
  const log = await openSample(fs)
  await log.close()
  assert.deepEqual([await fs.stat(LOG), log.mended], [before, []])
})

test('damage before the end stays where it is', async () => {
  const fs = openMemory()
  const text = `${startLine()}\nnoise\n${lineOf(2)}\nmore noise\n`
  await writeLog(fs, text)
  const log = await openSample(fs)
  assert.deepEqual([await logText(fs), log.lastId], [text, idOf(2)])
  await log.close()
})

test('mending the tail, killed at any step, loses neither a record nor the torn bytes', async () => {
  const steps = await atEveryStep({
    prepare: (fs) => writeLog(fs, `${startLine()}\ntorn`),
    work: async (fs) => (await openSample(fs)).close(),
    check: async (fs, _, place) => {
      await (await openSample(fs)).close()
      assert.equal(await logText(fs), `${startLine()}\n`, place)
      const pieces = await fs.list(TORN)
      assert.equal(pieces.length, 1, place)
      assert.equal(Buffer.from((await fs.read(`${TORN}/${pieces[0]!.name}`))!).toString(), 'torn')
    },
  })
  assert.ok(steps >= 5, `${steps} steps`)
})

test('a former writer that still has the file open writes into nothing', async (t) => {
  const root = await mkdtemp(path.join(tmpdir(), 'reprise-log-'))
  t.after(() => rm(root, { recursive: true }))
  for (const fs of [openMemory(), openDisk(root)]) {
    const frozen = await openSample(fs)
    await frozen.append([startDraft])
    const taker = await openSample(fs, { replaceInode: true, newId: countingIds(10) })
    await frozen.append([message('from the past')])
    await taker.append([message('now')])
    assert.deepEqual(await idsIn(fs), [idOf(1), idOf(10)])
    await Promise.all([frozen.close(), taker.close()])
  }
})

test('append, rewind, redo and reopen on a real disk', async (t) => {
  const root = await mkdtemp(path.join(tmpdir(), 'reprise-log-'))
  t.after(() => rm(root, { recursive: true }))
  const fs = openDisk(root)
  const log = await openSample(fs)
  await log.append([startDraft, message('a')])
  await Promise.all(['b', 'c', 'd'].map((text) => log.append([message(text)])))
  const text = await logText(fs)
  await log.truncateBefore(idOf(3))
  assert.deepEqual(await idsIn(fs), [idOf(1), idOf(2)])
  await log.close()
  const again = await openSample(fs, { newId: countingIds(6) })
  await again.redo()
  assert.equal(await logText(fs), text)
  await again.append([message('e')])
  assert.deepEqual((await readAll(fs)).findings, [])
  assert.equal((await idsIn(fs)).length, 6)
  await again.close()
})

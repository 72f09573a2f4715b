import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { DIR, idOf, lineOf, logText, startLine, writeLog } from '../../test/support/sample-log.ts'
import { checkSnapshot, readAnySnapshot, readTurnCount, writeSnapshot } from './snapshot.ts'

const PATH = `${DIR}/.reprise/snapshot.json`

async function withSnapshot() {
  const fs = openMemory()
  const content = [
    startLine(),
    ...Array.from({ length: 60 }, (_, index) => lineOf(index + 2)),
    '',
  ].join('\n')
  await writeLog(fs, content)
  const snapshot = {
    offset: content.length,
    turns: 30,
    lastId: idOf(61),
    eventCount: 61,
    state: { turns: [1, 2] },
  }
  await writeSnapshot(fs, DIR, { stateVersion: 3, ...snapshot })
  return { fs, snapshot, content }
}

const read = (fs: SessionFs, stateVersion = 3) => readAnySnapshot(fs, DIR, { stateVersion })
const fits = async (fs: SessionFs) => (await read(fs))?.fits

test('a snapshot is read back while the log begins with what was folded', async () => {
  const { fs, snapshot, content } = await withSnapshot()
  assert.deepEqual(await read(fs), { ...snapshot, fits: true })
  await writeLog(fs, `${content}${lineOf(62)}\n`)
  assert.deepEqual(await read(fs), { ...snapshot, fits: true })
})

test('how many turns there were is read from its beginning, while it fits the log', async () => {
  const { fs, content } = await withSnapshot()
  await writeLog(fs, `${content}${lineOf(62)}\n`)
  assert.deepEqual(await readTurnCount(fs, DIR), { offset: content.length, turns: 30 })
  await writeLog(fs, `${content.replace('message 61', 'massage 61')}${lineOf(62)}\n`)
  assert.equal(await readTurnCount(fs, DIR), undefined)
})

test('a snapshot that does not fit the log says so', async () => {
  const { fs, content } = await withSnapshot()
  const changed = (from: string, to: string) => content.replace(from, to)
  const others = [
    content.slice(0, -1),
    '',
    changed('test', 'tset'),
    changed('message 61', 'massage 61'),
  ]
  for (const other of others) {
    await writeLog(fs, other)
    assert.equal(await fits(fs), false)
  }
  await fs.remove(`${DIR}/events.jsonl`)
  assert.equal(await fits(fs), false)
})

test('a snapshot of another version, damaged or missing counts as none', async () => {
  const { fs } = await withSnapshot()
  assert.equal(await read(fs, 4), undefined)
  const text = Buffer.from((await fs.read(PATH))!).toString()
  for (const other of [
    text.slice(0, -5),
    '',
    '[]',
    '\0\0\0',
    text.replace('"version":1', '"version":2'),
  ]) {
    await fs.writeAtomic(PATH, Buffer.from(other), { durable: false })
    assert.equal(await read(fs), undefined)
  }
  await fs.remove(PATH)
  assert.equal(await read(fs), undefined)
})

test('while a redo is under way only the log before it counts', async () => {
  const { fs, content } = await withSnapshot()
  const intent = { entry: '001', from: content.length - 10, to: content.length }
  await fs.writeAtomic(`${DIR}/.reprise/redo.json`, Buffer.from(JSON.stringify(intent)), {
    durable: true,
  })
  assert.equal(await fits(fs), false)
  assert.equal((await logText(fs)).length, content.length)
})

test('a snapshot with one value that was altered, anywhere, counts as none; white space changes nothing', async () => {
  const { fs, snapshot } = await withSnapshot()
  const text = Buffer.from((await fs.read(PATH))!).toString()
  const check = () => checkSnapshot(fs, DIR, { stateVersion: 3 })
  const write = (other: string) => fs.writeAtomic(PATH, Buffer.from(other), { durable: false })
  assert.equal(await check(), 'fits')
  for (const [from, to] of [
    ['[1,2]', '[1,3]'],
    ['[1,2]', '{}'],
    ['"turns":30', '"turns":31'],
    ['"eventCount":61', '"eventCount":60'],
    [idOf(61), idOf(60)],
  ] as const) {
    await write(text.replace(from, to))
    assert.deepEqual([await read(fs), await check()], [undefined, 'damaged'])
  }
  await write(text.replace('{"version"', '{ "version"').replace('[1,2]', '[1, 2]'))
  assert.deepEqual([await read(fs), await check()], [{ ...snapshot, fits: true }, 'fits'])
  const { stateHash: _, checksum: __, ...earlier } = JSON.parse(text) as Record<string, unknown>
  await write(JSON.stringify(earlier))
  assert.deepEqual([await read(fs), await check()], [undefined, 'older'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { openPack } from './pack.ts'
import { sha256Of } from './sha256.ts'

const text = (value: string) => new TextEncoder().encode(value)
const contents = ['', 'one', 'two', 'x'.repeat(10_000)].map(text)

test('contents come back from another opening, and before they are written', async () => {
  const fs = openMemory()
  const pack = await openPack(fs, 's')
  for (const bytes of contents) await pack.add(sha256Of(bytes), bytes)
  assert.deepEqual(await Promise.all(contents.map((bytes) => pack.get(sha256Of(bytes)))), contents)
  const writing = pack.flush()
  assert.deepEqual(
    contents.map((bytes) => pack.has(sha256Of(bytes))),
    [true, true, true, true],
  )
  await writing
  await pack.add(sha256Of(text('later')), text('later'))
  await pack.flush()
  const again = await openPack(fs, 's')
  assert.deepEqual(await again.get(sha256Of(text('later'))), text('later'))
  assert.deepEqual(await Promise.all(contents.map((bytes) => again.get(sha256Of(bytes)))), contents)
  assert.equal(again.bytes, pack.bytes)
})

test('what is not wanted any more is left out, and an unfinished rewriting is dropped', async () => {
  const fs = openMemory()
  const pack = await openPack(fs, 's')
  for (const bytes of contents) await pack.add(sha256Of(bytes), bytes)
  await pack.flush()
  await pack.rewrite(new Set([sha256Of(text('one'))]))
  assert.deepEqual([pack.bytes, await pack.get(sha256Of(text('one')))], [3, text('one')])
  await fs.writeAtomic('s/.reprise/files/tree-7.pack', text('half'), { durable: false })
  const again = await openPack(fs, 's')
  assert.deepEqual([again.bytes, await again.get(sha256Of(text('one')))], [3, text('one')])
  assert.deepEqual((await fs.list('s/.reprise/files')).map(({ name }) => name).sort(), [
    'tree-1.idx',
    'tree-1.pack',
  ])
})

test('a content that was torn counts as missing', async () => {
  const fs = openMemory()
  const pack = await openPack(fs, 's')
  await pack.add(sha256Of(text('one')), text('one'))
  await pack.add(sha256Of(text('two')), text('two'))
  await pack.flush()
  await fs.writeAtomic('s/.reprise/files/tree-0.pack', text('one\0'), { durable: false })
  const again = await openPack(fs, 's')
  assert.deepEqual(await again.get(sha256Of(text('one'))), text('one'))
  assert.equal(await again.get(sha256Of(text('two'))), undefined)
  assert.equal(again.has(sha256Of(text('two'))), false)
})

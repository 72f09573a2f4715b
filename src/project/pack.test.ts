import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { openPack } from './pack.ts'
import { sha256Of } from './sha256.ts'

const text = (value: string) => new TextEncoder().encode(value)

/** As a session wrote it before contents were kept for the home. */
function recordOf(content: string, start: number): Buffer {
  const record = Buffer.alloc(48)
  record.write(sha256Of(text(content)), 0, 'hex')
  record.writeBigUInt64LE(BigInt(start), 32)
  record.writeBigUInt64LE(BigInt(content.length), 40)
  return record
}

test('a pack of an older session is read; of two the older one is whole; what is torn counts as missing', async () => {
  const fs = openMemory()
  const write = (name: string, bytes: Uint8Array) =>
    fs.writeAtomic(`s/.reprise/files/${name}`, bytes, { durable: false })
  await write('tree-1.pack', text('onetwo'))
  await write(
    'tree-1.idx',
    Buffer.concat([recordOf('one', 0), recordOf('two', 3), recordOf('gone', 4)]),
  )
  await write('tree-7.idx', text('half'))
  const pack = await openPack(fs, 's')
  assert.deepEqual(
    [await pack.get(sha256Of(text('one'))), await pack.get(sha256Of(text('two'))), pack.bytes],
    [text('one'), text('two'), 6],
  )
  assert.equal(await pack.get(sha256Of(text('gone'))), undefined)
  assert.equal(pack.has(sha256Of(text('gone'))), false)
})

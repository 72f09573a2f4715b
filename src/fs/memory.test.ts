import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sessionFsContract } from '../../test/contracts/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { openMemory } from './memory.ts'
import type { SessionFs } from './session-fs.ts'

sessionFsContract('a memory', async () => {
  const fs = openMemory()
  return { fs, other: fs, dispose: async () => {} }
})

const text = async (fs: SessionFs, path: string): Promise<string | undefined> => {
  const bytes = await fs.read(path)
  return bytes && decodeText(bytes)
}

describe('a power cut', () => {
  it('keeps synced bytes and loses the others', async () => {
    const fs = openMemory()
    const file = await fs.openAppend('a/log')
    await file.write([encodeText('kept ')], 0)
    await file.sync()
    await file.write([encodeText('lost')], 5)
    assert.equal(await text(fs.crash(), 'a/log'), 'kept ')
  })

  it('loses a file that was never synced, with its name', async () => {
    const fs = openMemory()
    const file = await fs.openAppend('a/log')
    await file.write([encodeText('lost')], 0)
    const after = fs.crash()
    assert.deepEqual([await after.stat('a/log'), await after.list('a')], [undefined, []])
  })

  it('undoes a cut and an overwrite that were not synced', async () => {
    const fs = openMemory()
    const file = await fs.openAppend('log')
    await file.write([encodeText('0123456789')], 0)
    await file.sync()
    await file.truncate(5)
    await file.write([encodeText('x')], 0)
    assert.equal(await text(fs.crash(), 'log'), '0123456789')
  })

  it('gives the old version of a file that was replaced without durability', async () => {
    const fs = openMemory()
    await fs.writeAtomic('file', encodeText('old'), { durable: true })
    await fs.writeAtomic('file', encodeText('new'), { durable: false })
    assert.equal(await text(fs.crash(), 'file'), 'old')
  })

  it('gives the new version of a file that was replaced durably', async () => {
    const fs = openMemory()
    await fs.writeAtomic('a/file', encodeText('old'), { durable: false })
    await fs.writeAtomic('a/file', encodeText('new'), { durable: true })
    assert.equal(await text(fs.crash(), 'a/file'), 'new')
  })

  it('keeps a move, and finds a file empty whose bytes were never synced', async () => {
    const fs = openMemory()
    await fs.writeAtomic('from', encodeText('never synced'), { durable: false })
    await fs.rename('from', 'to')
    const after = fs.crash()
    assert.deepEqual([await after.stat('from'), await text(after, 'to')], [undefined, ''])
  })

  it('brings back what was removed and not synced', async () => {
    const fs = openMemory()
    await fs.writeAtomic('file', encodeText('back'), { durable: true })
    await fs.remove('file')
    assert.equal(await text(fs.crash(), 'file'), 'back')
  })

  it('ends the file system that it happened to', async () => {
    const fs = openMemory()
    const file = await fs.openAppend('log')
    fs.crash()
    await assert.rejects(file.write([encodeText('x')], 0), { code: 'EIO' })
    await assert.rejects(fs.read('log'), { code: 'EIO' })
  })

  it('can come twice', async () => {
    const fs = openMemory()
    await fs.writeAtomic('a/b/file', encodeText('there'), { durable: true })
    assert.equal(await text(fs.crash().crash(), 'a/b/file'), 'there')
  })
})

describe('planned faults', () => {
  it('the nth write fails, after some of its bytes', async () => {
    const fs = openMemory({
      faults: [{ operation: 'write', nth: 2, code: 'ENOSPC', afterBytes: 3 }],
    })
    const file = await fs.openAppend('log')
    await file.write([encodeText('one ')], 0)
    await assert.rejects(file.write([encodeText('tw'), encodeText('o ')], 4), { code: 'ENOSPC' })
    assert.equal(await text(fs, 'log'), 'one two')
    await file.write([encodeText('three')], 4)
    assert.equal(await text(fs, 'log'), 'one three')
  })

  it('a fault may last for several calls', async () => {
    const fs = openMemory({
      faults: [{ operation: 'writeAtomic', nth: 1, times: 2, code: 'EROFS' }],
    })
    const write = () => fs.writeAtomic('file', encodeText('x'), { durable: true })
    await assert.rejects(write(), { code: 'EROFS' })
    await assert.rejects(write(), { code: 'EROFS' })
    await write()
    assert.equal(await text(fs, 'file'), 'x')
  })

  it('after a failed sync the next one succeeds without the bytes, until they are written again', async () => {
    const open = async () => {
      const fs = openMemory({ faults: [{ operation: 'sync', nth: 2, code: 'EIO' }] })
      const file = await fs.openAppend('log')
      await file.write([encodeText('good ')], 0)
      await file.sync()
      await file.write([encodeText('bad')], 5)
      await assert.rejects(file.sync(), { code: 'EIO' })
      return { fs, file }
    }
    const trusting = await open()
    await trusting.file.sync()
    assert.equal(await text(trusting.fs.crash(), 'log'), 'good \0\0\0')

    const careful = await open()
    await careful.file.write([encodeText('bad')], 5)
    await careful.file.sync()
    assert.equal(await text(careful.fs.crash(), 'log'), 'good bad')
  })
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Draft, DraftOf } from '../format/event.ts'
import { openMemory } from '../fs/memory.ts'
import { readBlob, reduceDraft } from './blobs.ts'
import { BlobDamaged } from './errors.ts'
import { DIR, message, openSample } from '../../test/support/sample-log.ts'

const sha = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const result = (fields: object): Draft =>
  ({
    type: 'tool.execution_complete',
    data: { toolCallId: 'c', success: true, result: { content: '', ...fields } },
  }) as unknown as Draft

const reduce = (fs: ReturnType<typeof openMemory>, draft: Draft) =>
  reduceDraft(fs, DIR, draft, { maxTextBytes: 100, headChars: 10, tailChars: 5 })

describe('reducing a draft', () => {
  test('leaves what is small, and messages of any length, as they are', async () => {
    const fs = openMemory()
    const long = 'x'.repeat(1_000_000)
    for (const draft of [result({ content: 'x'.repeat(65_536) }), message(long)]) {
      assert.equal(await reduceDraft(fs, DIR, draft), draft)
    }
    assert.deepEqual(await fs.list(`${DIR}/.reprise/blobs`), [])
  })

  test('keeps a long text aside, its ends in the event, and a reference', async () => {
    const fs = openMemory()
    const content = `head-${'m'.repeat(200)}-tail`
    const reduced = (await reduce(fs, result({ content }))) as DraftOf<'tool.execution_complete'>
    const hash = sha(content)
    assert.equal(
      reduced.data.result?.content,
      `head-mmmmm\n… 195 bytes kept in blob ${hash} …\n-tail`,
    )
    assert.deepEqual(reduced.data.reprise, {
      blobs: [
        { field: 'result.content', path: `.reprise/blobs/${hash}`, sha256: hash, byteLength: 210 },
      ],
    })
    assert.equal(Buffer.from((await readBlob(fs, DIR, hash))!).toString(), content)
    assert.ok(await readBlob(fs.crash(), DIR, hash), 'durable before the event')
  })

  test('looks at every text and every binary of a result', async () => {
    const fs = openMemory()
    const long = 'y'.repeat(200)
    const png = Buffer.from([0x89, 0x50, 0, 1])
    const draft = {
      type: 'tool.execution_complete',
      data: {
        toolCallId: 'c',
        success: false,
        result: {
          content: long,
          detailedContent: `${long}2`,
          contents: [
            { type: 'text', text: `${long}3` },
            { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
          ],
        },
        error: { message: `${long}4` },
      },
    } as unknown as Draft
    const reduced = (await reduce(fs, draft)) as DraftOf<'tool.execution_complete'>
    const blobs = reduced.data.reprise?.blobs as {
      field?: string
      sha256: string
      mimeType?: string
    }[]
    assert.deepEqual(
      blobs.map(({ field, mimeType }) => [field, mimeType]),
      [
        ['result.content', undefined],
        ['result.detailedContent', undefined],
        ['error.message', undefined],
        ['result.contents.0.text', undefined],
        ['result.contents.1.data', 'image/png'],
      ],
    )
    assert.deepEqual(reduced.data.result?.contents?.[1], {
      type: 'image',
      data: '',
      mimeType: 'image/png',
    })
    assert.deepEqual(Buffer.from((await readBlob(fs, DIR, blobs[4]!.sha256))!), png)
    const log = await openSample(fs)
    assert.equal((await log.append([reduced])).length, 1)
    await log.close()
  })

  test('keeps the binaries of messages and assets aside, and odd base64 as it is', async () => {
    const fs = openMemory()
    const odd = '_not-quite base64'
    const attached = (await reduce(fs, {
      type: 'user.message',
      data: { content: 'see', attachments: [{ type: 'blob', mimeType: 'image/png', data: odd }] },
    })) as DraftOf<'user.message'>
    assert.equal(Buffer.from((await readBlob(fs, DIR, sha(odd)))!).toString(), odd)
    assert.deepEqual(attached.data.attachments, [{ type: 'blob', mimeType: 'image/png', data: '' }])
    const asset = (await reduce(fs, {
      type: 'session.binary_asset',
      data: { assetId: 'a', type: 'image', mimeType: 'image/gif', byteLength: 3, data: 'R0lG' },
    })) as DraftOf<'session.binary_asset'>
    assert.equal(asset.data.data, '')
    assert.equal(Buffer.from((await readBlob(fs, DIR, sha('GIF')))!).toString(), 'GIF')
  })

  test('stores the same content once', async () => {
    const memory = openMemory()
    let writes = 0
    const fs = {
      ...memory,
      writeAtomic: ((...args) => (
        (writes += 1),
        memory.writeAtomic(...args)
      )) as typeof memory.writeAtomic,
    }
    for (let round = 0; round < 3; round++) await reduce(fs, result({ content: 'z'.repeat(300) }))
    assert.equal(writes, 1)
  })

  test('never cuts a character in two, at any length', async () => {
    const fs = openMemory()
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 40, maxLength: 90 }),
        fc.nat(30),
        async (text, headChars) => {
          const limits = { maxTextBytes: 20, headChars, tailChars: headChars }
          const reduced = (await reduceDraft(
            fs,
            DIR,
            result({ content: text }),
            limits,
          )) as DraftOf<'tool.execution_complete'>
          assert.equal(reduced.data.result?.content.isWellFormed(), true)
        },
      ),
    )
  })
})

test('a blob that is missing, misnamed or damaged is not given', async () => {
  const fs = openMemory()
  assert.equal(await readBlob(fs, DIR, sha('x')), undefined)
  assert.equal(await readBlob(fs, DIR, '../../events.jsonl'), undefined)
  await fs.writeAtomic(`${DIR}/.reprise/blobs/${sha('x')}`, Buffer.from('y'), { durable: false })
  await assert.rejects(readBlob(fs, DIR, sha('x')), BlobDamaged)
})

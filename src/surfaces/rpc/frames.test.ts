import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BrokenFrame, createFrameReader, encodeFrame } from './frames.ts'

test('frames are read again, however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.json()),
      fc.infiniteStream(fc.integer({ min: 1, max: 50 })),
      (texts, cuts) => {
        const bytes = Buffer.concat(texts.map((text) => encodeFrame(JSON.parse(text))))
        const reader = createFrameReader(1 << 20)
        const read: unknown[] = []
        for (let at = 0; at < bytes.length;) {
          const length = Number(cuts.next().value)
          for (const body of reader.push(bytes.subarray(at, at + length)))
            read.push(JSON.parse(body.toString('utf8')))
          at += length
        }
        assert.deepEqual(
          read,
          texts.map((text) => JSON.parse(text) as unknown),
        )
      },
    ),
  )
})

test('a header that is not one is refused before anything is kept for it', () => {
  const refused = [
    'Content-Length: 11\r\n\r\n',
    'Content-Length: x\r\n\r\n',
    'Content-Length: 1\r\nContent-Length: 1\r\n\r\n',
    'Content-Type: a\r\n\r\n',
    'Host: localhost\r\nContent-Length: 1\r\n\r\n',
    'x'.repeat(1024),
  ]
  for (const header of refused)
    assert.throws(() => createFrameReader(10).push(Buffer.from(header)), BrokenFrame)
  const kept = createFrameReader(10).push(
    Buffer.from(
      'content-length:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}',
    ),
  )
  assert.deepEqual(kept, [Buffer.from('{}')])
})

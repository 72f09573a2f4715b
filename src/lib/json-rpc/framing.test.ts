import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentLength } from './content-length.ts'
import { BrokenFrame } from './framing.ts'
import { lines } from './lines.ts'

for (const [name, framing] of Object.entries({ contentLength, lines })) {
  test(`${name}: messages are read again, however the bytes are cut`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.json()),
        fc.infiniteStream(fc.integer({ min: 1, max: 50 })),
        (texts, cuts) => {
          const bytes = Buffer.concat(texts.map((text) => framing.encode(JSON.parse(text))))
          const reader = framing.openReader(1 << 20)
          const read: unknown[] = []
          for (let at = 0; at < bytes.length;) {
            const length = Number(cuts.next().value)
            for (const body of reader.push(bytes.subarray(at, at + length)))
              read.push(JSON.parse(body))
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

  test(`${name}: a message that is JSON already is framed like any other`, () => {
    const message = { id: 1, text: 'größer 東京' }
    const bytes = Buffer.from(JSON.stringify(message))
    const parts = [bytes.subarray(0, 20), bytes.subarray(20)]
    assert.deepEqual(framing.wrap(parts), framing.encode(message))
  })

  test(`${name}: what came whole before a message that is too long is given first`, () => {
    const read: string[] = []
    const bytes = [{ a: 1 }, { b: 'x'.repeat(20) }].map(framing.encode)
    assert.throws(() => {
      for (const body of framing.openReader(10).push(Buffer.concat(bytes))) read.push(body)
    }, BrokenFrame)
    assert.deepEqual(read, ['{"a":1}'])
  })
}

test('a line is split on the newline byte alone, and blank ones are skipped', () => {
  const text = '{"t":"é\u2028\u2029x"}\n\n \r\n{}\n'
  assert.deepEqual([...lines.openReader(100).push(Buffer.from(text))], text.trim().split(/\n\s*/))
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
    assert.throws(() => [...contentLength.openReader(10).push(Buffer.from(header))], BrokenFrame)
  const kept = contentLength
    .openReader(10)
    .push(
      Buffer.from(
        'content-length:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}',
      ),
    )
  assert.deepEqual([...kept], ['{}'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBody } from './body.ts'

const sent = (body: ReadableStream<Uint8Array>) =>
  new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' } as RequestInit)

test('a body comes whole, however small its parts, and one that stands still is refused in words', async () => {
  const parts = ['{"a"', ':', '1}'].map((part) => Buffer.from(part))
  assert.equal((await readBody(sent(ReadableStream.from(parts)), 100)).toString(), '{"a":1}')
  await assert.rejects(readBody(sent(ReadableStream.from(parts)), 5), { code: 'too_large' })
  const still = new ReadableStream<Uint8Array>({ start: (out) => out.enqueue(Buffer.from('{')) })
  await assert.rejects(readBody(sent(still), 100, 20), {
    code: 'too_slow',
    message: /did not come within .* Nothing was changed; send it again\./,
  })
})

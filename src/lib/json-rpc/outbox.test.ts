import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { openOutbox } from './outbox.ts'

const limits = { maxBacklogBytes: 1000, maxAnswerBytes: 1000, onTooSlow: assert.fail }

function collecting() {
  const writes: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (chunk.length > 0) writes.push(chunk.toString())
      done()
    },
  })
  return { writes, stream }
}

test('what is told in one go is one write, in its order, with the answers between', async () => {
  const { writes, stream } = collecting()
  const outbox = openOutbox(stream, limits)
  for (const text of ['a', 'b', 'c']) outbox.tell(Buffer.from(text))
  outbox.answer(Buffer.from('!'))
  outbox.tell(Buffer.from('d'))
  await outbox.flushed()
  assert.deepEqual(writes, ['abc!d'])
})

test('what waits counts against the limit before it was written', () => {
  const { writes, stream } = collecting()
  let isTooSlow = false
  const outbox = openOutbox(stream, {
    ...limits,
    maxBacklogBytes: 10,
    onTooSlow: () => (isTooSlow = true),
  })
  outbox.tell(Buffer.alloc(6))
  assert.equal(isTooSlow, false)
  outbox.tell(Buffer.alloc(6))
  assert.equal(isTooSlow, true)
  assert.deepEqual(writes, [])
})

test('one answer may be large, many that nobody reads are too many', () => {
  let given = 0
  const stuck = new Writable({ write: () => {} })
  const outbox = openOutbox(stuck, { ...limits, onTooSlow: () => (given += 1) })
  outbox.answer(Buffer.alloc(1900))
  outbox.answer(Buffer.alloc(900))
  assert.equal(given, 0)
  outbox.answer(Buffer.alloc(1))
  assert.equal(given, 1)
})

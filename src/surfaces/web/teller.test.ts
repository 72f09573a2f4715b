/** What a guest is told comes in order, and the stream ends where it could not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamFrame } from './api.ts'
import type { Outlet } from './outlet.ts'
import { tellGuest } from './teller.ts'

function place() {
  const gone = new AbortController()
  const put: string[] = []
  const outlet: Outlet = {
    signal: gone.signal,
    put: (bytes) => void put.push(bytes.toString()),
    room: async () => {},
    end: () => {
      put.push('end')
      gone.abort()
    },
    [Symbol.dispose]: () => gone.abort(),
  }
  return { outlet, put }
}

const ready = (lastEventId: string): StreamFrame => ({
  event: 'ready',
  data: { lastEventId: lastEventId as never },
})

test('what takes longer to redact is still told before what came after it', async () => {
  const { outlet, put } = place()
  const first = Promise.withResolvers<Buffer | undefined>()
  const answers = [
    first.promise,
    Promise.resolve(Buffer.from('second')),
    Promise.resolve(undefined),
  ]
  const teller = tellGuest(
    outlet,
    () => answers.shift() ?? Promise.reject(new Error('too many')),
    assert.ifError,
  )
  for (const name of ['one', 'two', 'three']) void teller.tell(ready(name))
  const ended = teller.end()
  first.resolve(Buffer.from('first'))
  await ended
  assert.deepEqual(put, ['first', 'second', 'end'])
})

test('nothing is told after what could not be redacted', async () => {
  const { outlet, put } = place()
  const faults: unknown[] = []
  let asked = 0
  const teller = tellGuest(
    outlet,
    async () => {
      if (++asked === 2) throw new Error('no rules')
      return Buffer.from(`${asked}`)
    },
    (error) => void faults.push(error),
  )
  for (const name of ['one', 'two', 'three']) void teller.tell(ready(name))
  await teller.tell(ready('four'))
  assert.deepEqual([put, asked, faults.length], [['1', 'end'], 2, 1])
})

test('who falls too far behind is let go', async () => {
  const { outlet, put } = place()
  const never = Promise.withResolvers<undefined>()
  const teller = tellGuest(outlet, () => never.promise, assert.ifError)
  for (let at = 0; at < 10_000; at++) void teller.tell(ready('one'))
  assert.deepEqual(put, [])
  void teller.tell(ready('last'))
  assert.deepEqual(put, ['end'])
  never.resolve(undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  currentTraceparent,
  installSink,
  noteFailure,
  traced,
  tracedItems,
  type Attributes,
  type Sink,
} from './telemetry.ts'

function listen(): Sink & { readonly heard: unknown[] } {
  const heard: unknown[] = []
  return {
    heard,
    begin(name, attributes) {
      heard.push(['begin', name, attributes])
      return { within: (step) => step(), end: (ending) => void heard.push(['end', name, ending]) }
    },
    count: (name, value, attributes) => void heard.push(['count', name, value, attributes]),
    note: (level, name, attributes, frames) =>
      void heard.push([level, name, attributes, frames.length > 0]),
    traceparent: () => 'trace',
  }
}

async function* three(): AsyncGenerator<number, string, undefined> {
  yield 1
  yield 2
  return 'end'
}

test('while nobody listens, what is done is done as if nothing stood around it', async () => {
  const items = three()
  assert.equal(tracedItems('tool', {}, items), items)
  const promise = Promise.resolve(3)
  assert.equal(
    traced('turn', {}, () => promise),
    promise,
  )
  assert.equal(currentTraceparent(), undefined)
})

test('what began ends once, with what came of it', async () => {
  const sink = listen()
  using _ = installSink(sink)
  await traced(
    'turn',
    { turn_id: 't' },
    () => Promise.resolve(2),
    (value) => ({ events: value }),
  )
  const failure = Object.assign(new Error('words of a person'), { code: 'not_found' })
  await assert.rejects(
    traced('fork', {}, () => Promise.reject(failure)),
    failure,
  )
  await assert.rejects(
    traced('redo', {}, () => Promise.reject(new DOMException('words', 'AbortError'))),
  )
  assert.deepEqual(sink.heard, [
    ['begin', 'turn', { turn_id: 't' }],
    ['end', 'turn', { outcome: 'completed', events: 2 }],
    ['begin', 'fork', {}],
    ['end', 'fork', { outcome: 'failed', error_kind: 'not_found' }],
    ['begin', 'redo', {}],
    ['end', 'redo', { outcome: 'cancelled' }],
  ])
})

test('what comes in pieces ends with the last, with a failure, or when its reader leaves', async () => {
  const sink = listen()
  using _ = installSink(sink)
  const all = tracedItems('tool', {}, three(), (value) => ({ tool_name: value }))
  assert.deepEqual(
    [await all.next(), await all.next(), await all.next()],
    [
      { value: 1, done: false },
      { value: 2, done: false },
      { value: 'end', done: true },
    ],
  )
  let closed = false
  async function* open(): AsyncGenerator<number, void, undefined> {
    try {
      yield 1
      throw new TypeError('words')
    } finally {
      closed = true
    }
  }
  for await (const _item of tracedItems('tool', {}, open())) break
  assert.ok(closed)
  await assert.rejects(Array.fromAsync(tracedItems('tool', {}, open())))
  assert.deepEqual(
    sink.heard.filter((entry) => Array.isArray(entry) && entry[0] === 'end'),
    [
      ['end', 'tool', { outcome: 'completed', tool_name: 'end' }],
      ['end', 'tool', { outcome: 'cancelled' }],
      ['end', 'tool', { outcome: 'failed', error_kind: 'TypeError' }],
    ],
  )
})

test('only listed names pass, and of texts only identifiers', async () => {
  const sink = listen()
  using _ = installSink(sink)
  const given = {
    tool_name: 'rm -rf "my secret"',
    model: 'x'.repeat(200),
    session_id: 's\n1',
    provider: 'a/b:c',
    attempt: Number.NaN,
    prompt: 'words',
  } as Attributes
  await traced('tool', given, () => Promise.resolve())
  assert.deepEqual(sink.heard[0], [
    'begin',
    'tool',
    { tool_name: 'other', model: 'other', session_id: 'other', provider: 'a/b:c' },
  ])
})

test('a failure is told with its places and without its message, whatever that looks like', () => {
  const frames: string[][] = []
  using _ = installSink({
    ...listen(),
    note: (_level, _name, _attributes, given) => void frames.push([...given]),
  })
  noteFailure('error', 'command', new Error('one\n    at secret (/words:1:2)\n'))
  noteFailure('error', 'command', 'a text')
  assert.ok(frames[0]?.[0]?.includes('telemetry.test.ts'))
  assert.ok(!frames[0]?.join().includes('secret'))
  assert.deepEqual(frames[1], [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventId } from '../../format/ids.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import { exchangesOf } from './conversation.ts'
import { compareReplay, replayedExchanges } from './replay.ts'
import type { Fields } from '../../lib/fields.ts'

const id = (text: string) => text as EventId
const user = (content: string, eventId = content): ModelMessage => ({
  role: 'user',
  content,
  eventId: id(eventId),
})
const assistant = (content: string): ModelMessage => ({
  role: 'assistant',
  content,
  eventId: id(content),
})
const chunk = (who: 'user' | 'agent', text: string): Fields => ({
  sessionUpdate: `${who}_message_chunk`,
  content: { type: 'text', text },
})

const ours = exchangesOf([user('one'), assistant('A'), assistant('B'), user('two'), assistant('C')])
const mismatch = (...given: Parameters<typeof compareReplay>): string | undefined => {
  const compared = compareReplay(...given)
  return 'why' in compared ? compared.why : undefined
}
const compare = (updates: readonly Fields[], given: { since?: string; isSettled?: boolean } = {}) =>
  mismatch(ours, replayedExchanges(updates), {
    since: id(given.since ?? 'one'),
    isSettled: given.isSettled ?? true,
  })

const faithful = [
  chunk('user', 'one'),
  chunk('agent', 'A\n'),
  { sessionUpdate: 'tool_call', toolCallId: 'x' },
  chunk('agent', ' B'),
  chunk('user', 't'),
  chunk('user', 'wo'),
  chunk('agent', 'C'),
]

test('the same words in other pieces and with other blanks are the same conversation', () => {
  assert.equal(compare(faithful), undefined)
})

for (const [what, updates] of [
  ['nothing', []],
  ['too little', faithful.slice(0, 4)],
  ['too much', [...faithful, chunk('user', 'three')]],
  ['another question', [chunk('user', 'uno'), ...faithful.slice(1)]],
  ['another answer', [...faithful.slice(0, -1), chunk('agent', 'D')]],
  ['no answer', faithful.slice(0, -1)],
] as const) {
  test(`a replay with ${what} is not the conversation`, () => {
    assert.equal(typeof compare(updates), 'string')
  })
}

test('notes that an agent puts beside a question or an answer are let pass', () => {
  const noted = [
    chunk('user', '<context>here</context> one'),
    chunk('agent', 'Warning: slow. AB'),
    ...faithful.slice(4),
  ]
  assert.equal(compare(noted), undefined)
})

test('calls and results that are replayed as words are of nobody', () => {
  const updates = [
    chunk('user', 'one'),
    chunk('agent', '[Function Call: run][Function Call: write]'),
    chunk('user', '[Function Response: run][Function Response: write]'),
    chunk('agent', 'A'),
  ]
  assert.deepEqual(replayedExchanges(updates), [{ asked: ['one'], answered: 'A' }])
})

test('of an answer that was interrupted only the question is compared', () => {
  const half = [...faithful.slice(0, -1), chunk('agent', 'other words')]
  assert.equal(typeof compare(half), 'string')
  assert.equal(compare(half, { isSettled: false }), undefined)
})

test('what was said before the inner session began is not asked of it', () => {
  assert.equal(
    compare([chunk('user', 'history … two'), chunk('agent', 'C')], { since: 'two' }),
    undefined,
  )
})

test('behind a summary, the exchanges that are left are compared with the last ones of the replay', () => {
  const shortened = exchangesOf([user('a summary of it', 's'), user('two'), assistant('C')])
  const given = { since: id('one'), isSettled: true }
  assert.equal(mismatch(shortened, replayedExchanges(faithful), given), undefined)
  assert.equal(typeof mismatch(shortened, replayedExchanges(faithful.slice(0, 4)), given), 'string')
  assert.equal(typeof mismatch(shortened.slice(0, 1), replayedExchanges(faithful), given), 'string')
})

test('a question that nobody answered is compared with the one after it, kept apart, together or with a note between', () => {
  const asked = exchangesOf([user('one'), user('two', 'x'), assistant('C')])
  const given = { since: id('one'), isSettled: true }
  for (const updates of [
    [
      chunk('user', 'one'),
      { sessionUpdate: 'tool_call' },
      chunk('user', 'two'),
      chunk('agent', 'C'),
    ],
    [
      chunk('user', 'one'),
      chunk('user', '[interrupted]'),
      chunk('user', 'two'),
      chunk('agent', 'C'),
    ],
    [
      chunk('user', 'one'),
      chunk('agent', 'No response requested.'),
      chunk('user', 'two'),
      chunk('agent', 'C'),
    ],
    [chunk('user', 'one two'), chunk('agent', 'C')],
  ])
    assert.equal(mismatch(asked, replayedExchanges(updates), given), undefined)
})

test('the last question may be missing when nobody answered it, and is then said to be', () => {
  const asked = exchangesOf([user('one'), assistant('A'), user('two')])
  const replayed = replayedExchanges([chunk('user', 'one'), chunk('agent', 'A')])
  const since = id('one')
  assert.deepEqual(compareReplay(asked, replayed, { since, isSettled: false }), { lacksLast: true })
  assert.ok('why' in compareReplay(asked, replayed, { since, isSettled: true }))
})

test('what was given with the first prompt must be in the replay, whole', () => {
  const since = { since: id('two'), isSettled: true, mark: 'abc' }
  const with_ = (text: string) => [chunk('user', `${text} two`), chunk('agent', 'C')]
  assert.equal(typeof mismatch(ours, replayedExchanges(with_('')), since), 'string')
  assert.equal(
    typeof mismatch(ours, replayedExchanges(with_('<conversation id="abc">cut')), since),
    'string',
  )
  const whole = '<conversation trust="untrusted" id="abc">all</conversation>'
  assert.equal(mismatch(ours, replayedExchanges(with_(whole)), since), undefined)
})

test('a note that stood for an answer and is not replayed is no answer', () => {
  const said = exchangesOf([
    user('one'),
    assistant('Info: cancelled by user'),
    user('two'),
    assistant('Info: wrote a file'),
    assistant('B'),
    user('three'),
    assistant('C'),
  ])
  const replayed = replayedExchanges([
    chunk('user', 'one'),
    { sessionUpdate: 'tool_call', toolCallId: 'x' },
    chunk('user', 'two'),
    chunk('agent', 'B'),
    chunk('user', 'three'),
    chunk('agent', 'C'),
  ])
  const since = { since: id('one'), isSettled: true }
  assert.equal(mismatch(said, replayed, { ...since, notes: /^Info:/ }), undefined)
  assert.equal(typeof mismatch(said, replayed, since), 'string')
  // The answer beside a note is looked for all the same.
  const lost = replayed.map((each) =>
    each.answered === 'B' ? { ...each, answered: 'other' } : each,
  )
  assert.equal(typeof mismatch(said, lost, { ...since, notes: /^Info:/ }), 'string')
})

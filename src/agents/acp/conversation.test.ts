import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventId } from '../../format/ids.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import { exchangesOf, mismatch, replayedExchanges } from './conversation.ts'
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

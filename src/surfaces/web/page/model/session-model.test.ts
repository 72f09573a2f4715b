import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../../format/event.ts'
import type { EventId } from '../../../../format/ids.ts'
import type { Notice } from '../../../../format/notice.ts'
import type { SessionAnswer, StreamFrame } from '../../api.ts'
import { silence } from '../../../../state/live.ts'
import {
  callsForAnswer,
  emptySession,
  withAnswer,
  withFrames,
  withOlder,
  withTranscript,
  type SessionModel,
} from './session-model.ts'
import { rowOf, transcriptRows } from './rows.ts'

const at = '2026-03-02T09:30:00.000Z'
const event = (id: string, type: string, data: object): StreamFrame => ({
  event: 'event',
  data: { id, type, data, timestamp: at, parentId: null } as unknown as Event,
})
const notice = (type: string, data: object = {}): StreamFrame => ({
  event: 'notice',
  data: { type, data } as unknown as Notice,
})
const entry = (id: string, body: object) => ({ eventId: id as EventId, at, ...body })
const user = (id: string, text: string) =>
  entry(id, { kind: 'user', text, attachments: [], isSteering: false }) as never
const fresh = emptySession('s')

test('a message streams in and becomes the entry of its event', () => {
  const writing = withFrames(fresh, [
    event('1', 'user.message', { content: 'hi' }),
    notice('assistant.message_delta', { messageId: 'm', deltaContent: 'Hel' }),
    notice('assistant.message_delta', { messageId: 'm', deltaContent: 'lo' }),
  ])
  assert.equal(writing.live.text, 'Hello')
  assert.equal(writing.status, 'running')
  assert.deepEqual(
    transcriptRows(writing.entries, writing.live).map(({ key }) => key),
    ['1 user ', 'live'],
  )
  const done = withFrames(writing, [
    event('2', 'assistant.message', { messageId: 'm', content: 'Hello' }),
    notice('session.idle'),
  ])
  assert.deepEqual(done, {
    ...fresh,
    entries: [user('1', 'hi'), entry('2', { kind: 'assistant', text: 'Hello' })],
    lastEventId: '2',
  })
})

test('an event ends the tool that an earlier page began', () => {
  const tool = entry('1', {
    kind: 'tool',
    toolCallId: 't',
    toolName: 'bash',
    arguments: {},
    status: 'running',
    isUserRequested: false,
  }) as never
  const held = withTranscript(fresh, { entries: [tool], lastEventId: '1' as EventId })
  const data = { toolCallId: 't', success: true, result: { content: 'out' } }
  const { entries } = withFrames(held, [event('2', 'tool.execution_complete', data)])
  assert.deepEqual(entries, [
    { ...(tool as object), status: 'succeeded', output: 'out', endedAt: at },
  ])
})

const wish = { requestId: 'p', permissionRequest: { kind: 'shell', fullCommandText: 'rm x' } }
const permission = {
  kind: 'permission',
  requestId: 'p',
  what: 'run rm x',
  body: '',
  answerable: true,
} as const

test('a permission waits until a person answers, here or elsewhere', () => {
  const asked = withFrames(fresh, [event('1', 'permission.requested', wish)])
  assert.deepEqual([asked.status, asked.asks], ['waiting', [permission]])
  const answered = withFrames(asked, [
    event('2', 'permission.completed', { requestId: 'p', result: { kind: 'approved' } }),
  ])
  assert.deepEqual([answered.status, answered.asks], ['running', []])
})

test('a question is asked and settled by notices', () => {
  const asked = withFrames(fresh, [
    notice('user_input.requested', { requestId: 'q', question: 'Which?', choices: ['a'] }),
  ])
  assert.deepEqual(asked.asks, [
    { kind: 'question', requestId: 'q', what: 'Which?', choices: ['a'] },
  ])
  assert.deepEqual(withFrames(asked, [notice('user_input.completed', { requestId: 'q' })]).asks, [])
})

test('what the server answers counts more than what was put together here', () => {
  const asked = withFrames(fresh, [event('1', 'permission.requested', wish)])
  const answer = {
    status: 'idle',
    requests: [],
    questions: [],
    queue: [],
    isQueueHeld: false,
  } as unknown as SessionAnswer
  assert.deepEqual(withAnswer(asked, answer), { ...asked, answer, status: 'idle', asks: [] })
})

test('a rewind takes away what was removed and asks for the transcript again', () => {
  const held = withTranscript(fresh, { entries: [user('1', 'one'), user('2', 'two')] })
  const cut = withFrames(held, [{ event: 'reset', data: { upToEventId: '2' as EventId } }])
  assert.deepEqual(cut, { ...held, entries: [user('1', 'one')], isStale: true })
  const lost = withFrames(held, [{ event: 'reset', data: {} }, event('9', 'abort', {})])
  assert.deepEqual(lost, { ...held, isStale: true })
  assert.equal(withFrames(lost, [{ event: 'gone', data: {} }]).isGone, true)
})

test('half a sentence is forgotten when the connection comes back', () => {
  const speaking: SessionModel = { ...fresh, live: { ...silence, text: 'Hal' } }
  assert.deepEqual(withFrames(speaking, [{ event: 'ready', data: {} }]).live, silence)
})

test('an older page is put before, unless everything changed meanwhile', () => {
  const held = withTranscript(fresh, { entries: [user('2', 'two')], before: '2' as EventId })
  const page = { entries: [user('1', 'one')] }
  assert.deepEqual(withOlder(held, '2', page), {
    ...held,
    entries: [user('1', 'one'), user('2', 'two')],
    before: undefined,
  })
  assert.equal(withOlder(held, '7', page), held)
})

test('a deleted session stays on the screen and changes no more', () => {
  const gone = withFrames(fresh, [{ event: 'gone', data: {} }, event('1', 'abort', {})])
  assert.deepEqual(gone, { ...fresh, isGone: true })
})

test('the context meter follows its notice, and news call for a fresh answer', () => {
  const frame = notice('session.usage_info', { currentTokens: 10, tokenLimit: 100 })
  assert.deepEqual(withFrames(fresh, [frame]).context, { used: 10, limit: 100 })
  assert.equal(callsForAnswer([frame]), false)
  assert.equal(callsForAnswer([notice('pending_messages.modified')]), true)
})

test('two entries with one id have keys of their own', () => {
  const rows = transcriptRows([user('1', 'a'), user('1', 'b')], silence)
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['1 user ', '1 user  1'],
  )
  assert.equal(rows.length, new Set(rows.map(({ key }) => key)).size)
})

test('a tool call is found from its turn on, also where several share an event', () => {
  const tool = (id: string, toolCallId: string) =>
    entry(id, { kind: 'tool', toolCallId, toolName: 'bash', status: 'succeeded' }) as never
  const said = entry('2', { kind: 'assistant', text: 'so' }) as never
  const rows = transcriptRows(
    [tool('0', 'b'), user('1', 'a'), said, tool('2', 'a'), tool('2', 'b')],
    silence,
  )
  assert.equal(rowOf(rows, '1', { call: 'b' }), '2 tool b')
  assert.equal(rowOf(rows, '2', { call: 'a' }), '2 tool a')
  assert.equal(rowOf(rows, '2'), '2 assistant ')
  assert.equal(rowOf(rows, '1', { call: 'gone' }), '1 user ')
  assert.equal(rowOf(rows, '9', { call: 'a' }), undefined)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Event, Payload } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { asksAfterEvent, asksAfterNotice } from './asks.ts'
import { hearEvent, hearNotice, silence } from './live.ts'

type Request = Payload<'permission.requested'>['permissionRequest']

const common = {
  id: '00000000-0000-4000-8000-000000000001' as EventId,
  timestamp: '2026-01-01T00:00:00Z',
  parentId: null,
}

const requested = (requestId: string, request: object, more: object = {}): Event => ({
  ...common,
  type: 'permission.requested',
  data: { requestId, permissionRequest: request as Request, ...more },
})

const asked = (request: object) => asksAfterEvent([], requested('r', request))[0]

describe('what waits for an answer', () => {
  it('is a request until it is decided, once however often it is told', () => {
    const request = { kind: 'shell', fullCommandText: 'ls', intention: 'Run ls' }
    const asks = asksAfterEvent(
      asksAfterEvent([], requested('r', request)),
      requested('r', request),
    )
    assert.deepEqual(
      asks.map(({ requestId, what }) => [requestId, what]),
      [['r', 'run ls']],
    )
    const completed: Event = {
      ...common,
      type: 'permission.completed',
      data: { requestId: 'r', result: { kind: 'approved' } },
    }
    assert.deepEqual(asksAfterEvent(asks, completed), [])
  })

  it('is nothing that a hook decided', () => {
    assert.deepEqual(
      asksAfterEvent([], requested('r', { kind: 'shell' }, { resolvedByHook: true })),
      [],
    )
  })

  it('says at length what would be done, and an intention only when it adds something', () => {
    const write = { kind: 'write', fileName: 'a', diff: '+b', intention: 'because' }
    assert.partialDeepStrictEqual(asked(write), { what: 'write a', body: '+b' })
    const shell = { kind: 'shell', fullCommandText: 'ls' }
    assert.partialDeepStrictEqual(asked({ ...shell, intention: 'Run ls' }), { body: '' })
    assert.partialDeepStrictEqual(asked({ ...shell, intention: 'look' }), { body: 'look' })
    assert.partialDeepStrictEqual(asked({ kind: 'constructor', args: { a: 1 } }), {
      what: 'constructor',
      body: '{\n  "a": 1\n}',
    })
  })

  it('is a question until it is answered or the session is idle', () => {
    const question = { requestId: 'q', question: 'Which?', choices: ['a'] }
    const asks = asksAfterNotice([], { type: 'user_input.requested', data: question } as never)
    assert.deepEqual(asks, [{ kind: 'question', requestId: 'q', what: 'Which?', choices: ['a'] }])
    assert.deepEqual(asksAfterNotice(asks, { type: 'session.idle', data: {} } as never), [])
  })
})

describe('what is being said', () => {
  it('grows with its pieces and is gone when its event comes', () => {
    const delta = (deltaContent: string) =>
      ({ type: 'assistant.message_delta', data: { messageId: 'm', deltaContent } }) as const
    const live = hearNotice(hearNotice(silence, delta('a')), delta('b'))
    assert.equal(live.text, 'ab')
    const event: Event = {
      ...common,
      type: 'assistant.message',
      data: { messageId: 'm', content: 'ab' },
    }
    assert.equal(hearEvent(live, event).text, '')
  })

  it('keeps the end of what a tool prints, within a bound, until the tool ends', () => {
    const printed = { toolCallId: 't', partialOutput: `${'x'.repeat(20_000)}end` }
    const live = hearNotice(silence, { type: 'tool.execution_partial_result', data: printed })
    assert.ok((live.tails['t'] ?? '').endsWith('end'))
    assert.ok((live.tails['t'] ?? '').length <= 8000)
    const ended: Event = {
      ...common,
      type: 'tool.execution_complete',
      data: { toolCallId: 't', success: true },
    }
    assert.deepEqual(hearEvent(live, ended).tails, {})
  })
})

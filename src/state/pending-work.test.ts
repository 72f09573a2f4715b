/** Which calls of a turn that was left can be gone on with, and which had begun. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../format/event.ts'
import { leftWork } from './pending-work.ts'

let count = 0
const event = (type: string, data: object, more: object = {}): Event =>
  ({ type, data, id: `e${++count}`, timestamp: '', parentId: null, ...more }) as unknown as Event

const message = event('user.message', { content: 'go' })
const begin = [message, event('assistant.turn_start', { turnId: 't' })]
const asks = (...ids: string[]) =>
  event('assistant.message', {
    messageId: 'm',
    content: '',
    toolRequests: ids.map((toolCallId) => ({ toolCallId, name: 'bash', arguments: { at: 1 } })),
  })
const starts = (toolCallId: string, toolName = 'bash') =>
  event('tool.execution_start', { toolCallId, toolName })
const wants = (toolCallId: string, requestId: string) =>
  event('permission.requested', { requestId, permissionRequest: { kind: 'shell', toolCallId } })
const decides = (toolCallId: string, requestId: string) =>
  event('permission.completed', { requestId, toolCallId, result: { kind: 'approved' } })
const ends = (toolCallId: string) => event('tool.execution_complete', { toolCallId, success: true })

const idsIn = (events: readonly Event[]) =>
  leftWork(events)?.calls.map(({ toolCallId }) => toolCallId)

test('a call that waits for permission and one that was only announced can be gone on with', () => {
  const asked = wants('a', 'r')
  const left = leftWork([...begin, asks('a', 'b'), starts('a'), asked])
  assert.deepEqual(left, {
    turnId: 't',
    message: message.data,
    eventId: message.id,
    calls: [
      {
        toolCallId: 'a',
        toolName: 'bash',
        arguments: { at: 1 },
        isStarted: true,
        requests: [asked.data],
      },
      { toolCallId: 'b', toolName: 'bash', arguments: { at: 1 }, isStarted: false, requests: [] },
    ],
  })
})

test('a call that was allowed, or needed no leave, had begun', () => {
  const allowed = [...begin, asks('a'), starts('a'), wants('a', 'r'), decides('a', 'r')]
  assert.equal(leftWork(allowed), undefined)
  assert.equal(leftWork([...begin, asks('a'), starts('a')]), undefined)
  assert.deepEqual(idsIn([...begin, asks('a', 'b'), starts('a')]), ['b'])
})

test('a call with two wishes of which one is open has not begun', () => {
  const half = [starts('a'), wants('a', 'r1'), decides('a', 'r1'), wants('a', 'r2')]
  assert.deepEqual(idsIn([...begin, asks('a'), ...half]), ['a'])
})

test('a question to a person is asked again, and the result of another program is waited for', () => {
  const question = event('assistant.message', {
    messageId: 'm',
    content: '',
    toolRequests: [{ toolCallId: 'q', name: 'ask_user' }],
  })
  assert.deepEqual(idsIn([...begin, question, starts('q', 'ask_user')]), ['q'])
  const external = event('external_tool.requested', { requestId: 'x', toolCallId: 'a' })
  const [call] = leftWork([...begin, asks('a'), starts('a'), external])?.calls ?? []
  assert.equal(call?.externalId, 'x')
})

test('nothing is left of a turn that ended, was ended by a resume, or is of a sub-agent', () => {
  const open = [...begin, asks('a'), starts('a'), wants('a', 'r')]
  assert.equal(leftWork([...open, event('assistant.turn_end', { turnId: 't' })]), undefined)
  assert.equal(leftWork([...open, event('session.resume', {})]), undefined)
  assert.deepEqual(idsIn([...open, event('session.resume', { continuePendingWork: true })]), ['a'])
  assert.equal(leftWork([...open, ends('a')]), undefined)
  const theirs = event('assistant.message', asks('b').data, { agentId: 'helper' })
  assert.equal(leftWork([...begin, theirs]), undefined)
})

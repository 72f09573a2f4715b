import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Draft, Event } from '../../format/event.ts'
import { asEventId } from '../../format/ids.ts'
import { permissionParams } from './asks.ts'
import { newProjection, project, settleTools, type AcpProjection } from './projection.ts'

const event = (draft: Draft, id = 'e1'): Event =>
  ({ ...draft, id: asEventId(id), timestamp: '2026-01-01T00:00:00Z', parentId: null }) as Event

const projection = (given: Partial<AcpProjection> = {}): AcpProjection => ({
  ...newProjection({ notices: true, compaction: true }, { mode: 'interactive' }, '/work'),
  ...given,
})

const tool = {
  toolCallId: 't',
  toolName: 'edit',
  arguments: { path: 'a.ts', old_str: 'x', new_str: 'y' },
}
const started = event({ type: 'tool.execution_start', data: tool })
const ended = event({
  type: 'tool.execution_complete',
  data: { toolCallId: 't', success: true, result: { content: 'ok' } },
})

describe('what a client is told of an event', () => {
  it('is nothing for an event of another version', () => {
    const odd = {
      ...event({ type: 'abort', data: { reason: 'user_abort' } }),
      type: 'new.thing',
      stranger: true,
    }
    assert.deepEqual(project(projection(), odd as never), [])
  })

  it('has the id of the message, or of the event where the message has none', () => {
    const ids = [
      event({ type: 'user.message', data: { content: 'a', messageId: 'm' } }),
      event({ type: 'user.message', data: { content: 'a' } }),
    ].map((each) =>
      project(projection(), each).map((update) => 'messageId' in update && update.messageId),
    )
    assert.deepEqual(ids, [['m'], ['e1']])
  })

  it('leaves out what sub-agents say', () => {
    const said = event({
      type: 'assistant.message',
      data: { messageId: 'm', content: 'x', parentToolCallId: 't' },
    })
    assert.deepEqual(project(projection(), said), [])
  })

  it('shows an edit as a change, with its place', () => {
    const to = projection()
    assert.deepEqual(project(to, started), [
      {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'edit: a.ts',
        name: 'edit',
        kind: 'edit',
        locations: [{ path: '/work/a.ts' }],
        content: [{ type: 'diff', path: '/work/a.ts', oldText: 'x', newText: 'y' }],
        rawInput: tool.arguments,
        status: 'in_progress',
      },
    ])
    assert.deepEqual(project(to, ended), [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        status: 'completed',
        content: [
          { type: 'diff', path: '/work/a.ts', oldText: 'x', newText: 'y' },
          { type: 'content', content: { type: 'text', text: 'ok' } },
        ],
        rawOutput: { content: 'ok' },
      },
    ])
    assert.deepEqual(project(to, ended), [], 'of two results the first stands')
  })

  it('tells a result without a call, so that nothing is lost', () => {
    assert.deepEqual(
      project(projection(), ended).map(({ sessionUpdate }) => sessionUpdate),
      ['tool_call'],
    )
  })

  it('settles what has no result, once', () => {
    const to = projection({ isReplay: true })
    project(to, started)
    assert.deepEqual(
      settleTools(to, 'gone').map((update) => 'status' in update && update.status),
      ['failed'],
    )
    assert.deepEqual(settleTools(to, 'gone'), [])
  })

  it('is of the moment for remarks and thoughts, which are not replayed', () => {
    const passing = [
      event({ type: 'session.warning', data: { warningType: 'x', message: 'careful\nmore' } }),
      event({ type: 'assistant.reasoning', data: { reasoningId: 'r', content: 'hm' } }),
    ]
    assert.deepEqual(
      passing.flatMap((each) => project(projection(), each)),
      [
        { sessionUpdate: 'notice', severity: 'warning', title: 'careful', description: 'more' },
        {
          sessionUpdate: 'agent_thought_chunk',
          content: { type: 'text', text: 'hm' },
          messageId: 'r',
        },
      ],
    )
    assert.deepEqual(
      passing.flatMap((each) => project(projection({ isReplay: true }), each)),
      [],
    )
    const plain = projection({ tells: { notices: false, compaction: false } })
    assert.deepEqual(project(plain, passing[0]!), [], 'a client that did not ask for remarks')
  })
})

describe('a question about a call of another agent', () => {
  it('shows the call as that agent told it: its kind, its places, the change', () => {
    const data = {
      toolCallId: 't',
      toolName: 'execute',
      arguments: { file_path: '/work/a.ts', old_string: 'x', new_string: 'y' },
      acp: { kind: 'edit', locations: [{ path: '/work/a.ts' }], _meta: { odd: 1 } },
    }
    const now = projection()
    project(now, event({ type: 'tool.execution_start', data } as Draft))
    const request = { kind: 'custom-tool', toolName: 'x', toolDescription: '', toolCallId: 't' }
    const { toolCall } = permissionParams(
      's',
      { requestId: 'r', permissionRequest: request } as never,
      now.calls.get('t'),
      '/work',
    )
    assert.deepEqual(
      [toolCall.kind, toolCall.locations, toolCall._meta, toolCall.content],
      [
        'edit',
        [{ path: '/work/a.ts' }],
        { odd: 1 },
        [{ type: 'diff', path: '/work/a.ts', oldText: 'x', newText: 'y' }],
      ],
    )
  })
})

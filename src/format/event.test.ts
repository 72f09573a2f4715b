import { test } from 'node:test'
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { eventSchemas, recognise, serialise, type Event } from './event.ts'

// The types that the Copilot CLI writes to disk, and session.usage_record, which it writes untyped.
const persistable = `
  session.start session.resume session.remote_steerable_changed session.error session.schedule_created
  session.schedule_cancelled session.schedule_rearmed session.autopilot_objective_changed session.info
  session.warning session.model_change session.mode_changed session.mode_notice_delivered
  session.session_limits_changed session.permissions_changed session.plan_changed
  session.workspace_file_changed session.handoff session.truncation session.shutdown
  session.usage_checkpoint session.context_changed session.context_cleared session.compaction_start
  session.compaction_complete session.task_complete session.completion_receipt
  session.fusion_route_failed session.fusion_resolved session.fusion_handoff
  session.fusion_commit_started session.fusion_completed user.message assistant.turn_start
  assistant.fusion_phase_completed assistant.fusion_phase_failed assistant.reasoning assistant.message
  assistant.turn_end abort tool.user_requested tool.execution_start tool.execution_complete
  tool_search.activated skill.invoked skill.invoked_ref skill.context_delivered
  skill.context_delivered_ref subagent.started subagent.configured subagent.completed subagent.failed
  subagent.selected subagent.deselected hook.start hook.end session.binary_asset system.message
  system.notification permission.requested permission.completed permission.carriedForward
  permission.messageAuthorization permission.messageAuthorizationRead
  permission.messageAuthorizationDegraded permission.assentDetected permission.contextualAuthorization
  external_tool.requested session.auto_mode_resolved session.canvas.recorded session.canvas.removed
  session.usage_record`
  .trim()
  .split(/\s+/)

const envelope = {
  id: '5f0c8a52-3c1e-4b7d-9a65-0f2b7c6d1e11',
  timestamp: '2026-03-02T09:30:00.000Z',
  parentId: null,
}
const said = (content: string) =>
  ({ type: 'user.message', data: { content }, ...envelope }) as unknown as Event

test('every type that is written to disk has a schema', () => {
  assert.equal(persistable.length, 72)
  assert.deepEqual(Object.keys(eventSchemas).sort(), persistable.toSorted())
})

test('unknown fields stay on the very object that was read', () => {
  const line = { ...said('hi'), data: { content: 'hi', mood: 'good' }, traceId: 7 }
  const recognised = recognise(line)
  assert.equal(recognised.kind, 'event')
  assert.equal(recognised.kind === 'event' && recognised.event, line)
})

test('a known type with a missing field is a stranger, and says why', () => {
  const line = { type: 'user.message', data: {}, ...envelope }
  assert.deepEqual(recognise(line), {
    kind: 'stranger',
    event: { ...line, stranger: true },
    reason: 'content: expected string',
  })
})

test('an unknown type is a stranger without a reason', () => {
  const line = { type: 'vendor.thing', data: [1], ...envelope }
  assert.deepEqual(recognise(line), { kind: 'stranger', event: { ...line, stranger: true } })
})

test('a name that objects have by nature is not an event type', () => {
  for (const type of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    assert.equal(recognise({ type, data: {}, ...envelope }).kind, 'stranger')
  }
})

test('what has no envelope is damage', () => {
  const reasons = [
    null,
    [],
    'text',
    { ...said('hi'), type: 1 },
    { ...said('hi'), id: '' },
    { ...said('hi'), timestamp: 1 },
    { ...said('hi'), parentId: 1 },
  ].map((value) => recognise(value))
  assert.deepEqual(reasons, [
    { kind: 'damage', reason: 'not a JSON object' },
    { kind: 'damage', reason: 'not a JSON object' },
    { kind: 'damage', reason: 'not a JSON object' },
    { kind: 'damage', reason: 'no event type' },
    { kind: 'damage', reason: 'no event id' },
    { kind: 'damage', reason: 'no timestamp' },
    { kind: 'damage', reason: 'parentId is not an id' },
  ])
})

test('keys are written in one order, without spaces', () => {
  const { type, data, id, timestamp, parentId } = said('hi')
  const shuffled = { agentId: 'a', parentId, id, data, timestamp, type } as Event
  assert.equal(
    serialise(shuffled),
    `{"type":"user.message","data":{"content":"hi"},"agentId":"a","id":"${id}","timestamp":"${timestamp}","parentId":null}`,
  )
})

test('any text survives writing and reading, but for lone surrogates', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (content) => {
      const line = serialise(said(content))
      assert.ok(!line.includes('\n') && line.isWellFormed())
      assert.deepEqual(JSON.parse(line), said(content.toWellFormed()))
    }),
  )
})

test('lone surrogates are never written, neither in values nor in keys', () => {
  const broken = fc.array(fc.constantFrom('\ud83d', '\udc00', 'a', '\\', '\\ud83d', '😀'))
  fc.assert(
    fc.property(broken, (parts) => {
      const text = parts.join('')
      const data = { content: text, deep: [{ [text]: text }] }
      const event = { ...said(text), data } as Event
      const clean = text.toWellFormed()
      assert.deepEqual(JSON.parse(serialise(event)), {
        ...said(clean),
        data: { content: clean, deep: [{ [clean]: clean }] },
      })
    }),
  )
})

test('line separators of Unicode stay as they are', () => {
  const content = 'one\u2028two\u2029three\u0085four'
  assert.deepEqual(JSON.parse(serialise(said(content))), said(content))
})

test('a __proto__ key is a key like any other', () => {
  const source = `{"type":"user.message","data":{"content":"\\ud800","__proto__":{"admin":true}},"id":"a","timestamp":"t","parentId":null}`
  const recognised = recognise(JSON.parse(source))
  assert.ok(recognised.kind === 'event')
  assert.equal(serialise(recognised.event), source.replace('\\ud800', '\ufffd'))
  assert.equal(({} as { admin?: boolean }).admin, undefined)
})

test('a __proto__ key cannot stand in for a missing field', () => {
  const line = JSON.parse(
    `{"type":"user.message","data":{"__proto__":{"content":"hi"}},"id":"a","timestamp":"t"}`,
  )
  const recognised = recognise(line)
  assert.equal(recognised.kind === 'stranger' && recognised.reason, 'content: expected string')
})

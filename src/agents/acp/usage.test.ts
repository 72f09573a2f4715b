import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beforeFirstPrompt, hearUsage, usageRecord } from './usage.ts'

/** The input tokens that are recorded of what an agent tells, answer by answer. */
function recorded(name: string, told: readonly number[]): unknown[] {
  const counter = {}
  return told.map((inputTokens) => {
    const draft = usageRecord(counter, { usage: { inputTokens } }, { name, model: 'm' })
    return draft?.type === 'session.usage_record' ? draft.data.usage.inputTokens : undefined
  })
}

test('what each known agent counts is known: one answer, or all since its start', () => {
  const growing = [4000, 6000, 8000, 10_000, 12_000]
  // Or by the program, when that was given.
  for (const name of ['codex', 'codex-acp', 'claude', 'claude-agent-acp', 'opencode'])
    assert.deepEqual(recorded(name, growing), growing)
  assert.deepEqual(recorded('copilot', [1234, 2468, 700]), [1234, 1234, 700])
})

test('of an agent that is not known, numbers that never fall are a running total', () => {
  assert.deepEqual(recorded('of its own', [10, 30, 5]), [10, 20, 5])
})

test('version 2 of the protocol counts by answer, whoever speaks it', () => {
  const counter = {}
  const about = { name: 'of its own', model: 'm' }
  const told = [4000, 6000].map((inputTokens) => {
    const draft = usageRecord(counter, { state: 'idle', usage: { inputTokens } }, about)
    return draft?.type === 'session.usage_record' ? draft.data.usage.inputTokens : undefined
  })
  assert.deepEqual(told, [4000, 6000])
})

test('Gemini tells its tokens beside the answer', () => {
  const result = { _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 2 } } } }
  const draft = usageRecord({}, result, { name: 'gemini', model: 'm' })
  assert.deepEqual(draft?.type === 'session.usage_record' && draft.data.usage, {
    model: 'm',
    inputTokens: 7,
    outputTokens: 2,
  })
})

test('Qwen tells the tokens of each request, and an answer is their sum', () => {
  const counter = {}
  for (const inputTokens of [400, 600])
    hearUsage(counter, { _meta: { usage: { inputTokens, outputTokens: 10 } } })
  const about = { name: 'qwen', model: 'm' }
  const draft = usageRecord(counter, {}, about)
  const usage = draft?.type === 'session.usage_record' ? draft.data.usage : undefined
  assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [1000, 20])
  assert.equal(usageRecord(counter, {}, about), undefined)
})

test('what an agent says that its session cost is recorded answer by answer, in dollars', () => {
  const counter: Parameters<typeof usageRecord>[0] = {}
  const about = { name: 'opencode', model: 'm' }
  const tell = (amount: number, currency = 'USD') =>
    hearUsage(counter, { sessionUpdate: 'usage_update', cost: { amount, currency } })
  const taken = () => {
    const draft = usageRecord(counter, {}, about)
    return draft?.type === 'session.usage_record' ? draft.data.reprise?.dollars : undefined
  }
  // A session that is loaded tells what it had cost before.
  tell(0.3)
  beforeFirstPrompt(counter, 0.1)
  tell(0.4)
  assert.equal(taken(), 0.1)
  assert.equal(taken(), undefined)
  tell(9, 'EUR')
  assert.equal(taken(), undefined)
  tell(0.4)
  assert.equal(taken(), undefined)
  // It fell: it counts from nothing again.
  tell(0.05)
  assert.equal(taken(), 0.05)
  // What came behind an answer is counted with the next.
  tell(0.06)
  tell(0.08)
  assert.equal(taken(), 0.03)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Draft } from '../format/event.ts'
import { logOf } from '../../test/log-of.ts'
import { evolve } from '../../test/support/evolve.ts'
import { initialState } from './session-state.ts'

const usageOf = (...drafts: Draft[]) => logOf(drafts).reduce(evolve, initialState).usage

const begun: Draft = { type: 'assistant.turn_start', data: { turnId: '0' } }
const ended: Draft = { type: 'assistant.turn_end', data: { turnId: '0' } }
const message: Draft = {
  type: 'assistant.message',
  data: { messageId: 'm', content: '', model: 'a', outputTokens: 7 },
}
const record: Draft = {
  type: 'session.usage_record',
  data: {
    usage: {
      model: 'a',
      inputTokens: 100,
      outputTokens: 9,
      cacheReadTokens: 50,
      cacheWriteTokens: 5,
      reasoningTokens: 3,
      cost: 0.5,
      copilotUsage: { totalNanoAiu: 1000 },
    },
  },
}
const recorded = {
  requests: 1,
  inputTokens: 100,
  outputTokens: 9,
  cacheReadTokens: 50,
  cacheWriteTokens: 5,
  reasoningTokens: 3,
  cost: 0.5,
  dollars: 0,
  durationMs: 0,
  nanoAiu: 1000,
}

describe('usage', () => {
  it('is what the records say, whatever their messages say before or after them', () => {
    const lastCall = { inputTokens: 100, outputTokens: 9 }
    const expected = { ...recorded, lastCall, models: [{ model: 'a', ...recorded }], current: [] }
    assert.deepEqual(usageOf(begun, record, message, ended), expected)
    assert.deepEqual(usageOf(begun, message, record, ended), expected)
  })

  it("has dollars and premium requests apart: with a key of one's own there are none", () => {
    const { data } = record
    const own = { ...data, usage: { ...data.usage, isByok: true, duration: 40 } }
    const priced = { ...own, reprise: { dollars: 0.25 } }
    const { cost, dollars, durationMs } = usageOf(
      { ...record, data: own },
      { ...record, data: priced },
    )
    assert.deepEqual([cost, dollars, durationMs], [0, 0.75, 80])
  })

  it('is what the messages say when there is no record', () => {
    const { outputTokens, requests, models } = usageOf(begun, message, ended, begun, message, ended)
    assert.deepEqual([outputTokens, requests, models.map(({ model }) => model)], [14, 0, ['a']])
  })

  it('is kept by model', () => {
    const other: Draft = {
      type: 'session.usage_record',
      data: { usage: { model: 'b', outputTokens: 1 } },
    }
    const { outputTokens, models } = usageOf(record, other)
    assert.deepEqual(
      [outputTokens, ...models.map((each) => [each.model, each.outputTokens])],
      [10, ['a', 9], ['b', 1]],
    )
  })

  it('does not mix the calls of a sub-agent with those of its parent', () => {
    const sub = { agentId: 'sub' }
    const usage = usageOf(begun, { ...begun, ...sub }, { ...record, ...sub }, message, ended)
    assert.equal(usage.outputTokens, 16)
  })

  it('counts nothing twice at shutdown', () => {
    const shutdown: Draft = {
      type: 'session.shutdown',
      data: {
        shutdownType: 'routine',
        totalApiDurationMs: 1,
        sessionStartTime: 1,
        codeChanges: { linesAdded: 0, linesRemoved: 0, filesModified: [] },
        modelMetrics: {
          a: {
            requests: {},
            usage: { inputTokens: 100, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 },
          },
        },
      },
    }
    assert.equal(usageOf(record, shutdown).inputTokens, 100)
  })

  it('leaves out amounts that JSON cannot hold', () => {
    assert.equal(
      usageOf({
        type: 'session.usage_record',
        data: { usage: { model: 'a', inputTokens: Infinity } },
      }).inputTokens,
      0,
    )
    const begun: Draft = { type: 'assistant.turn_start', data: { turnId: 't' } }
    const said: Draft = {
      type: 'assistant.message',
      data: { messageId: 'm', content: '', toolRequests: [], outputTokens: Infinity },
    }
    const usage = usageOf(begun, said)
    assert.deepEqual(JSON.parse(JSON.stringify(usage)), usage)
  })
})

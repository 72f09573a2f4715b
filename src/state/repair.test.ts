import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answered, gave, logOf, said, started } from '../../test/log-of.ts'
import { settleInterrupted } from './repair.ts'
import { evolve } from '../../test/support/evolve.ts'
import { initialState } from './session-state.ts'

describe('settling interrupted work', () => {
  it('answers open permissions, fails open tools and ends open turns, in this order, and those of sub-agents first', () => {
    const state = logOf([
      started(),
      said('go'),
      { type: 'assistant.turn_start', data: { turnId: '0' } },
      answered('', 'done', 'open'),
      gave('done', 'ok'),
      {
        type: 'tool.execution_start',
        data: { toolCallId: 'sub', toolName: 'x', parentToolCallId: 'open' },
        agentId: 'a1',
      },
      {
        type: 'permission.requested',
        data: {
          requestId: 'r',
          permissionRequest: { kind: 'url', intention: 'i', url: 'u', toolCallId: 'open' },
        },
      },
    ]).reduce(evolve, initialState)
    const error = { message: 'interrupted before a result was recorded', code: 'interrupted' }
    // Nobody cancelled it: the program that ran it is gone.
    const reprise = { unfinished: 'killed' }
    assert.deepEqual(settleInterrupted(state), [
      {
        type: 'permission.completed',
        data: {
          requestId: 'r',
          toolCallId: 'open',
          result: { kind: 'denied-no-approval-rule-and-could-not-request-from-user' },
          decisionSource: 'unattended_fallback',
          reprise: { decidedBy: 'nobody', reason: 'withdrawn' },
        },
      },
      {
        type: 'tool.execution_complete',
        data: { toolCallId: 'sub', success: false, error, reprise, parentToolCallId: 'open' },
        agentId: 'a1',
      },
      {
        type: 'tool.execution_complete',
        data: { toolCallId: 'open', success: false, error, reprise },
      },
      { type: 'assistant.turn_end', data: { turnId: '0' } },
    ])
  })

  it('has nothing to do when nothing is open', () => {
    const state = logOf([started(), said('go'), answered('done')]).reduce(evolve, initialState)
    assert.deepEqual(settleInterrupted(state), [])
  })
})

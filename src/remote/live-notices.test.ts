import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../format/notice.ts'
import { joinPieces } from './live-notices.ts'

const said = (messageId: string, deltaContent: string): Notice => ({
  type: 'assistant.message_delta',
  data: { messageId, deltaContent },
})
const printed = (toolCallId: string, partialOutput: string, agentId?: string): Notice => ({
  type: 'tool.execution_partial_result',
  data: { toolCallId, partialOutput },
  ...(agentId !== undefined && { agentId }),
})

test('pieces of one text that follow each other are told as one', () => {
  assert.deepEqual(joinPieces([said('a', 'Hel'), said('a', 'lo '), said('a', 'there')]), [
    said('a', 'Hello there'),
  ])
})

test('the order stays, and pieces of other texts, tools and agents stay apart', () => {
  const idle: Notice = { type: 'session.idle', data: {} }
  const all = [
    said('a', '1'),
    said('b', '2'),
    said('a', '3'),
    idle,
    said('a', '4'),
    printed('x', '5'),
    printed('x', '6', 'sub'),
  ]
  assert.deepEqual(joinPieces(all), all)
  assert.deepEqual(joinPieces([]), [])
})

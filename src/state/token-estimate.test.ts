import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EventId } from '../format/ids.ts'
import { contextParts } from './context-parts.ts'
import { PICTURE_TOKENS, estimateTokens, tokensOf } from './token-estimate.ts'

describe('an estimate of tokens', () => {
  it('is about four characters of English, or one of Chinese', () => {
    assert.deepEqual(
      [estimateTokens(''), estimateTokens('a'.repeat(400)), estimateTokens('字'.repeat(100))],
      [0, 100, 100],
    )
  })

  it('counts what tools were asked for and pictures, as what fills the window does', () => {
    const eventId = '' as EventId
    const picture = { type: 'blob', data: '', mimeType: 'image/png', displayName: 'a.png' } as const
    const written = { path: 'a', file_text: 'x'.repeat(4000) }
    const messages = [
      { role: 'user', content: 'look', attachments: [picture], eventId },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c', name: 'create', arguments: written }],
        eventId,
      },
      {
        role: 'tool',
        toolCallId: 'c',
        toolName: 'create',
        content: 'done',
        attachments: [picture, { type: 'file', path: '/b', displayName: 'b' }],
        isError: false,
        eventId,
      },
    ] as const
    const context = { system: 'be', messages }
    const total = tokensOf(context)
    assert.ok(total > 1000 + 2 * PICTURE_TOKENS && total < 1100 + 2 * PICTURE_TOKENS)
    const { kinds, largest } = contextParts(context)
    const of = (kind: string) => kinds.find((each) => each.kind === kind)?.tokens ?? 0
    assert.deepEqual([of('messages'), of('tools') > 1000 + PICTURE_TOKENS], [1001, true])
    assert.deepEqual(
      largest.flatMap(({ what }) => (what.startsWith('picture') ? [what] : [])),
      ['picture a.png', 'picture a.png'],
    )
  })
})

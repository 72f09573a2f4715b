import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventId } from '../../test/log-of.ts'
import { contextParts } from './context-parts.ts'
import { asSummary } from './context-folder.ts'
import { quoted } from './quoting.ts'

const text = (tokens: number) => 'x'.repeat(tokens * 4)

describe('what fills a window', () => {
  const system = [
    text(100),
    quoted('project_instructions', { path: 'AGENTS.md' }, text(300)),
    quoted('user_instructions', {}, text(50)),
  ].join('\n\n')
  const parts = contextParts({
    system,
    messages: [
      {
        role: 'user',
        content: [asSummary(text(400)), quoted('untrusted_history', {}, text(70)), 'do it'].join(
          '\n\n',
        ),
        eventId: eventId(1),
      },
      {
        role: 'assistant',
        content: text(20),
        toolCalls: [{ id: 'a', name: 'bash', arguments: { command: 'make' } }],
        eventId: eventId(2),
      },
      {
        role: 'tool',
        toolCallId: 'a',
        toolName: 'bash',
        content: text(1000),
        isError: false,
        eventId: eventId(3),
      },
      {
        role: 'user',
        content: `${quoted('user_ran', { tool: 'bash', command: 'ls > a' }, text(60))}\n\nand now`,
        eventId: eventId(4),
      },
    ],
  })
  const tokens = Object.fromEntries(parts.kinds.map(({ kind, tokens: all }) => [kind, all]))

  it('is told apart by kind, and nothing is counted twice', () => {
    const atLeast = { system: 100, instructions: 350, board: 70, summary: 400, tools: 1060 }
    for (const [kind, least] of Object.entries(atLeast)) {
      const got = tokens[kind] ?? 0
      assert.ok(got >= least && got < least + 60, `${kind} ${got}`)
    }
    assert.equal(
      parts.total,
      Object.values(tokens).reduce((a, b) => a + b, 0),
    )
  })

  it('has its largest pieces named', () => {
    assert.deepEqual(
      parts.largest.slice(0, 3).map(({ kind, what }) => [kind, what]),
      [
        ['tools', 'result of bash {"command":"make"}'],
        ['summary', 'summary of what was said before'],
        ['instructions', 'AGENTS.md'],
      ],
    )
    assert.ok(parts.largest.some(({ what }) => what === '! ls > a'))
  })

  it('is nothing where nothing was said', () => {
    assert.deepEqual(contextParts({ system: undefined, messages: [] }).total, 0)
  })
})

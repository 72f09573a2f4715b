import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Draft } from '../format/event.ts'
import { parseSummary } from '../format/checkpoint-file.ts'
import { answered, gave, logOf, said, started } from '../../test/log-of.ts'
import { composeSummary } from './compaction.ts'
import type { SummaryOptions } from './summary-lines.ts'

const composed = (drafts: Draft[], options?: SummaryOptions) =>
  parseSummary(composeSummary(logOf(drafts), options))

const called = (toolCallId: string, name: string, args: unknown): Draft => ({
  type: 'assistant.message',
  data: {
    messageId: 'm',
    content: '',
    model: 'm-1',
    toolRequests: [{ toolCallId, name, arguments: args }],
  },
})
const failed = (toolCallId: string, message: string): Draft => ({
  type: 'tool.execution_complete',
  data: { toolCallId, success: false, error: { message } },
})

describe('a summary made from the log', () => {
  const work = [
    started(),
    said('Fix the parser'),
    called('1', 'edit', { path: 'src/parse.ts', old: 'a' }),
    gave('1', 'ok'),
    called('2', 'edit', { path: 'src/parse.ts', old: 'b' }),
    gave('2', 'ok'),
    called('3', 'apply_patch', '*** Begin Patch\n*** Add File: src/new.ts\n+x\n*** End Patch'),
    gave('3', 'ok'),
    called('4', 'bash', { command: 'npm test' }),
    failed('4', '1 test failed'),
    called('5', 'view', { path: 'README.md' }),
    gave('5', '# x'),
    answered('The parser is fixed.'),
    said('Now document it'),
    called('6', 'bash', { command: 'npm run docs' }),
  ]

  it('tells what was asked, done, seen and left to do', () => {
    const planText = '# Plan\n- [x] fix\n- [ ] document\n  * [ ] publish'
    assert.deepEqual(composed(work, { planText, files: ['notes.md'] }), {
      overview: 'Fix the parser\n- then: Now document it',
      history: '- Fix the parser → The parser is fixed.\n- Now document it → no answer',
      work_done:
        '- wrote src/parse.ts (2 times)\n- wrote src/new.ts\n- ran `npm test` (0 ok, 1 failed)',
      technical_details: '- models: m-1\n- bash failed: 1 test failed',
      important_files:
        "- src/parse.ts\n- src/new.ts\n- README.md (read)\n- notes.md (kept in the session's folder)",
      next_steps:
        '- answer: Now document it\n- bash was not finished\n- [ ] document\n- [ ] publish',
    })
  })

  it('leaves out what a connected program said for people alone', () => {
    const thrown: Draft = {
      type: 'tool.execution_complete',
      data: {
        toolCallId: '1',
        success: false,
        error: { message: 'SECRET', code: 'failure' },
        result: { content: 'It failed.' },
      },
    }
    const { technical_details: details } = composed([
      started(),
      said('go'),
      called('1', 'boom', {}),
      thrown,
    ])
    assert.equal(details, '- models: m-1\n- boom failed: It failed.')
  })

  it('carries on what an earlier summary said, except its next steps', () => {
    const earlier = composeSummary(logOf(work))
    const summary = composed([
      { type: 'session.compaction_start', data: {} },
      { type: 'session.compaction_complete', data: { success: true, summaryContent: earlier } },
      said('Ship it'),
      answered('Shipped.'),
    ])
    assert.equal(
      summary.history,
      '- Fix the parser → The parser is fixed.\n- Now document it → no answer\n- Ship it → Shipped.',
    )
    assert.equal(summary.next_steps, undefined)
  })

  it('says when a turn was stopped', () => {
    const { history } = composed([
      said('go'),
      answered('so far'),
      { type: 'abort', data: { reason: 'user_initiated' } },
    ])
    assert.equal(history, '- go → stopped by the user')
  })

  it('keeps the ends of a history that is too long, in at most 16 KiB', () => {
    const long = Array.from({ length: 3000 }, (_, index) => [
      said(`question ${index} ${'ü'.repeat(300)} <history>`),
      called(`c${index}`, 'edit', { path: `src/${'</work_done>'.repeat(10)}${index}.ts` }),
      gave(`c${index}`, 'ok'),
      answered(`answer ${index} ${'字'.repeat(300)}`),
    ]).flat()
    const text = composeSummary(logOf(long))
    assert.ok(Buffer.byteLength(text) <= 16 * 1024, String(Buffer.byteLength(text)))
    const { history = '' } = parseSummary(text)
    assert.match(history, /^- question 0 /)
    assert.match(history, /\n- … \d+ more …\n/)
    assert.match(history, /\n- question 2999 [^\n]*$/)
  })

  it('of nothing is nothing', () => assert.equal(composeSummary([]), ''))
})

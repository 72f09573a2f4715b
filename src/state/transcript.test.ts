import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Draft } from '../format/event.ts'
import {
  answered,
  eventId,
  gave,
  logOf,
  ran,
  said,
  started,
  type StrangerDraft,
} from '../../test/log-of.ts'
import { toMarkdown } from './transcript-markdown.ts'
import { createTranscriptFolder, projectTranscript } from './transcript-folder.ts'

const entriesOf = (...drafts: (Draft | StrangerDraft)[]) => projectTranscript(logOf(drafts))
const at = (number: number) => ({
  eventId: eventId(number),
  at: new Date(Date.UTC(2025, 0, 1) + (number - 1) * 1000).toISOString(),
})

describe('the transcript', () => {
  it('joins what a tool was asked, how it ran and what it gave', () => {
    assert.deepEqual(
      entriesOf(started(), said('go'), answered('ok', 'a'), ran('a'), gave('a', 'out')),
      [
        { kind: 'user', text: 'go', attachments: [], isSteering: false, ...at(2) },
        { kind: 'assistant', text: 'ok', ...at(3) },
        {
          kind: 'tool',
          toolCallId: 'a',
          toolName: 'bash',
          arguments: { command: 'echo a' },
          status: 'succeeded',
          output: 'out',
          isUserRequested: false,
          endedAt: at(5).at,
          ...at(3),
        },
      ],
    )
  })

  it('takes no command for done that ended with another number than 0', () => {
    const endOf = (content: string, more: object = {}) => {
      const last: Draft = {
        type: 'tool.execution_complete',
        data: { toolCallId: 'a', success: true, result: { content }, ...more },
      }
      const tool = entriesOf(started(), said('go'), answered('ok', 'a'), ran('a'), last).at(-1)
      return tool?.kind === 'tool' ? [tool.status, tool.exitCode] : undefined
    }
    assert.deepEqual(endOf('out', { shellExecution: { exitCode: 3 } }), ['failed', 3])
    assert.deepEqual(endOf('out\n<exited with exit code 3>'), ['failed', 3])
    assert.deepEqual(endOf('out\n<exited with exit code 0>'), ['succeeded', 0])
    assert.deepEqual(endOf('<exited with exit code 3>\nout'), ['succeeded', undefined])
  })

  it('names who sent a message from elsewhere', () => {
    const actor = { who: 'p1', name: 'Ben', surface: 'mission-control', machine: 'https://x' }
    const message = said('go')
    const entries = entriesOf(started(), {
      ...message,
      data: { ...message.data, reprise: { actor } },
    } as Draft)
    assert.deepEqual(entries, [
      {
        kind: 'user',
        text: 'go',
        attachments: [],
        isSteering: false,
        by: { who: 'p1', name: 'Ben', from: 'https://x' },
        ...at(2),
      },
    ])
    assert.match(toMarkdown(entries), /^## Ben · /)
  })

  it('joins a permission and its answer, a compaction and its end, a hook and a sub-agent', () => {
    const agent = { toolCallId: 't', agentName: 'r', agentDisplayName: 'Reviewer' }
    const entries = entriesOf(
      {
        type: 'permission.requested',
        data: {
          requestId: 'r',
          permissionRequest: { kind: 'url', intention: 'look', url: 'https://x' },
        },
      },
      { type: 'session.compaction_start', data: {} },
      { type: 'hook.start', data: { hookInvocationId: 'h', hookType: 'preToolUse' } },
      { type: 'subagent.started', data: { ...agent, agentDescription: 'd' } },
      { type: 'subagent.failed', data: { ...agent, error: 'gave up' } },
      { type: 'hook.end', data: { hookInvocationId: 'h', hookType: 'preToolUse', success: true } },
      {
        type: 'session.compaction_complete',
        data: { success: true, summaryContent: 's', checkpointNumber: 2 },
      },
      { type: 'permission.completed', data: { requestId: 'r', result: { kind: 'approved' } } },
    )
    assert.deepEqual(entries, [
      {
        kind: 'permission',
        requestId: 'r',
        what: 'url: https://x',
        intention: 'look',
        decision: 'approved',
        ...at(1),
      },
      { kind: 'compaction', status: 'succeeded', checkpoint: 2, summary: 's', ...at(2) },
      {
        kind: 'hook',
        hookInvocationId: 'h',
        hookType: 'preToolUse',
        status: 'succeeded',
        ...at(3),
      },
      {
        kind: 'subagent',
        toolCallId: 't',
        name: 'Reviewer',
        status: 'failed',
        error: 'gave up',
        ...at(4),
      },
    ])
  })

  it('shows thoughts, and strangers by their type', () => {
    const entries = entriesOf(
      { type: 'assistant.reasoning', data: { reasoningId: 'r', content: 'hm' } },
      { stranger: 'session.of_tomorrow', data: { secret: 1 } },
    )
    assert.deepEqual(entries, [
      { kind: 'thought', text: 'hm', ...at(1) },
      { kind: 'stranger', type: 'session.of_tomorrow', ...at(2) },
    ])
  })

  it('says which entries an event added or changed', () => {
    const folder = createTranscriptFolder()
    const touched = logOf([answered('ok', 'a'), ran('a'), gave('a', 'x')]).map((record) =>
      folder.push(record).map((entry) => [entry.kind, 'status' in entry && entry.status]),
    )
    assert.deepEqual(touched, [
      [
        ['assistant', false],
        ['tool', 'announced'],
      ],
      [['tool', 'running']],
      [['tool', 'succeeded']],
    ])
  })

  it('gives finished entries away and holds back those that may change', () => {
    const folder = createTranscriptFolder()
    const taken = logOf([said('go'), answered('ok', 'a'), said('steer'), gave('a', 'x')]).map(
      (record) => {
        folder.push(record)
        return folder.finished().map(({ kind }) => kind)
      },
    )
    assert.deepEqual(taken, [['user'], ['assistant'], [], ['tool', 'user']])
    assert.deepEqual(folder.rest(), [])
  })

  it('does not hold a long log for one tool that never ends', () => {
    const folder = createTranscriptFolder()
    const [open, ...others] = logOf([
      answered('', 'a'),
      ...Array.from({ length: 1500 }, () => said('x')),
    ])
    assert.ok(open)
    folder.push(open)
    for (const record of others) folder.push(record)
    assert.equal(folder.finished().length, 501)
    assert.equal(folder.entries().length, 1000)
  })
})

describe('a transcript as Markdown', () => {
  it('shows people what happened', () => {
    const text = toMarkdown(
      entriesOf(said('go'), answered('Let me look.', 'a'), gave('a', 'out\n'), {
        type: 'session.error',
        data: { errorType: 'model', message: 'too\nbusy' },
      }),
    )
    assert.equal(
      text,
      [
        '## User · 2025-01-01T00:00:00.000Z\n\ngo\n',
        '## Assistant · 2025-01-01T00:00:01.000Z\n\nLet me look.\n',
        '**bash** succeeded\n\n```\n{\n  "command": "echo a"\n}\n```\n\n```\nout\n```\n',
        '> *error (model)*: too\n> busy\n',
      ].join('\n'),
    )
  })

  it('keeps what a tool printed inside its fence', () => {
    const text = toMarkdown(entriesOf(answered('', 'a'), gave('a', '```\n# not a heading\n````')))
    assert.ok(text.includes('\n`````\n```\n# not a heading\n````\n`````\n'))
  })

  it('quotes what a sub-agent did, and obeys no control characters', () => {
    const text = toMarkdown(entriesOf({ ...answered('in\u001b[31mner\u202e'), agentId: 'sub' }))
    assert.equal(text, '> ## Assistant · 2025-01-01T00:00:00.000Z\n>\n> in[31mner⟨202e⟩\n')
  })

  it('shows a long output by its head and tail', () => {
    const text = toMarkdown(entriesOf(answered('', 'a'), gave('a', 'x'.repeat(100_000))))
    assert.match(text, /… 96000 characters left out …/)
    assert.ok(text.length < 5000)
  })
})

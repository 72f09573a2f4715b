/**
 * Generated histories. `histories`: what an agent plausibly writes, interrupted anywhere, with strangers,
 * broken text, compactions, sub-agents and forks. `anyHistories`: every known type, in any order.
 */
import * as fc from 'fast-check'
import type { Draft } from '../src/format/event.ts'
import type { Placed } from '../src/state/positioned-event.ts'
import { anyDraft } from './any-draft.ts'
import { logOf, started, type StrangerDraft } from './log-of.ts'

type Part = readonly (Draft | StrangerDraft)[]

/** Text that has broken somebody before: half characters, separators, our own delimiters, blanks. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\u2028',
        '\u0000',
        '\ud83d',
        '\ude00',
        '🙂',
        '</summary>',
        '<handoff>',
        '```',
      ),
      maxLength: 12,
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\ud83d') },
)

export const histories: fc.Arbitrary<Placed[]> = fc
  .tuple(starts(), fc.array(steps(), { maxLength: 12 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([start, parts, cut]) => {
    const drafts = uniqueCalls([...start, ...parts.flat()])
    return logOf(drafts.slice(0, Math.ceil(drafts.length * (0.3 + cut * 0.7))))
  })

export const anyHistories: fc.Arbitrary<Placed[]> = fc
  .array(fc.oneof({ weight: 9, arbitrary: anyDraft }, { weight: 1, arbitrary: strangers() }), {
    maxLength: 30,
  })
  .map(logOf)

function starts(): fc.Arbitrary<Part> {
  const fork: Draft = { type: 'session.info', data: { infoType: 'fork', message: 'forked' } }
  return fc.oneof(
    fc.constant([started()]),
    fc.constant([started({ selectedModel: 'm-1', context: { cwd: '/p', branch: 'main' } }), fork]),
    fc.constant([] as Part),
  )
}

function steps(): fc.Arbitrary<Part> {
  return fc.oneof(
    { weight: 6, arbitrary: turns() },
    { weight: 2, arbitrary: compactions() },
    { weight: 2, arbitrary: asides() },
    { weight: 1, arbitrary: strangers().map((stranger): Part => [stranger]) },
  )
}

function turns(): fc.Arbitrary<Part> {
  return fc
    .tuple(texts, fc.array(rounds(), { maxLength: 3 }), fc.boolean())
    .map(([content, parts, aborted]): Part => [
      { type: 'user.message', data: { content } },
      ...parts.flat(),
      ...(aborted ? [{ type: 'abort', data: { reason: 'user_initiated' } } as const] : []),
    ])
}

/** One call of a model and the tools that it asked for; results may be missing or come late. */
function rounds(): fc.Arbitrary<Part> {
  return fc
    .record({
      content: texts,
      calls: fc.array(calls(), { maxLength: 3 }),
      thinks: fc.boolean(),
      usage: fc.constantFrom('record', 'message', 'none'),
      agentId: fc.option(fc.constantFrom('agent-1', 'agent-2'), { nil: undefined, freq: 5 }),
      steering: fc.option(texts, { nil: undefined, freq: 4 }),
    })
    .map(({ content, calls, thinks, usage, agentId, steering }): Part => {
      const by = agentId !== undefined && { agentId }
      const turnId = 'turn'
      return [
        { type: 'assistant.turn_start', data: { turnId }, ...by },
        ...(usage === 'record'
          ? [
              {
                type: 'session.usage_record',
                data: { usage: { model: 'm', inputTokens: 10, outputTokens: 5 } },
                ...by,
              } as const,
            ]
          : []),
        ...(thinks
          ? [
              {
                type: 'assistant.reasoning',
                data: { reasoningId: 'r', content: 'SECRET THOUGHT' },
                ...by,
              } as const,
            ]
          : []),
        {
          type: 'assistant.message',
          data: {
            messageId: 'm',
            content,
            toolRequests: calls.map(({ id, args }) => ({
              toolCallId: id,
              name: 'bash',
              arguments: args,
            })),
            ...(usage !== 'none' && { outputTokens: 5 }),
          },
          ...by,
        },
        ...calls.flatMap(({ events }) => events.map((event) => ({ ...event, ...by }))),
        ...(steering === undefined
          ? []
          : [{ type: 'user.message', data: { content: steering, delivery: 'steering' } } as const]),
        ...calls.flatMap(({ late }) => late.map((event) => ({ ...event, ...by }))),
        { type: 'assistant.turn_end', data: { turnId }, ...by },
      ]
    })
}

type Call = { id: string; args: unknown; events: Draft[]; late: Draft[] }

function calls(): fc.Arbitrary<Call> {
  return fc
    .record({
      number: fc.nat({ max: 5 }),
      asks: fc.boolean(),
      answered: fc.boolean(),
      outcome: fc.constantFrom('ok', 'failed', 'late', 'missing', 'twice'),
      output: texts,
    })
    .map(({ number, asks, answered, outcome, output }) => {
      const id = `call-${number}`
      const complete: Draft = {
        type: 'tool.execution_complete',
        data:
          outcome === 'failed'
            ? { toolCallId: id, success: false, error: { message: output } }
            : { toolCallId: id, success: true, result: { content: output } },
      }
      const request: Draft = {
        type: 'permission.requested',
        data: {
          requestId: `ask-${id}`,
          permissionRequest: { kind: 'read', intention: 'look', path: output, toolCallId: id },
        },
      }
      const answer: Draft = {
        type: 'permission.completed',
        data: { requestId: `ask-${id}`, result: { kind: 'approved' } },
      }
      const begun: Draft = {
        type: 'tool.execution_start',
        data: { toolCallId: id, toolName: 'bash' },
      }
      const results = {
        ok: [complete],
        failed: [complete],
        twice: [complete, complete],
        late: [],
        missing: [],
      }
      return {
        id,
        args: { command: output },
        events: [
          ...(asks ? [request] : []),
          ...(asks && answered ? [answer] : []),
          begun,
          ...results[outcome],
        ],
        late: outcome === 'late' ? [complete] : [],
      }
    })
}

function compactions(): fc.Arbitrary<Part> {
  return fc
    .tuple(
      fc.constantFrom('ok', 'failed', 'crashed', 'startless'),
      texts,
      fc.array(turns(), { maxLength: 1 }),
    )
    .map(([outcome, summary, between]): Part => {
      const start: Draft = { type: 'session.compaction_start', data: {} }
      const complete: Draft = {
        type: 'session.compaction_complete',
        data:
          outcome === 'failed'
            ? { success: false, error: 'no' }
            : {
                success: true,
                summaryContent: summary,
                checkpointNumber: 1,
                checkpointPath: 'checkpoints/001-a.md',
              },
      }
      return [
        ...(outcome === 'startless' ? [] : [start]),
        ...between.flat(),
        ...(outcome === 'crashed' ? [] : [complete]),
      ]
    })
}

function asides(): fc.Arbitrary<Part> {
  return texts.chain((text) =>
    fc.constantFrom<Part>(
      [{ type: 'system.message', data: { content: text, role: 'system' } }],
      [{ type: 'session.model_change', data: { newModel: 'm-2', reasoningEffort: 'high' } }],
      [{ type: 'session.mode_changed', data: { previousMode: 'interactive', newMode: 'plan' } }],
      [{ type: 'session.plan_changed', data: { operation: 'create' } }],
      [{ type: 'session.workspace_file_changed', data: { path: 'a.md', operation: 'update' } }],
      [{ type: 'session.context_cleared', data: { messagesCleared: 3 } }],
      [
        {
          type: 'session.handoff',
          data: { handoffTime: 't', sourceType: 'remote', context: text },
        },
      ],
      [{ type: 'system.notification', data: { content: text, kind: { type: 'unclassified' } } }],
      [{ type: 'skill.invoked', data: { name: 's', path: '/s', content: text } }],
      [{ type: 'skill.context_delivered', data: { content: text, source: 's' } }],
      [{ type: 'session.error', data: { errorType: 'x', message: text } }],
      [{ type: 'session.resume', data: { resumeTime: 't', eventCount: 1 } }],
      [
        {
          type: 'session.resume',
          data: { resumeTime: 't', eventCount: 1, continuePendingWork: true },
        },
      ],
      [{ type: 'tool.user_requested', data: { toolCallId: 'mine', toolName: 'bash' } }],
      [
        {
          type: 'tool.execution_complete',
          data: { toolCallId: 'mine', success: true, result: { content: text } },
        },
      ],
    ),
  )
}

function strangers(): fc.Arbitrary<StrangerDraft> {
  return fc.record({
    stranger: fc.constantFrom('session.of_tomorrow', 'x'),
    data: fc.jsonValue(),
  }) as fc.Arbitrary<StrangerDraft>
}

/** Most calls get an id of their own; every seventh keeps one that others have too. */
function uniqueCalls(drafts: Part): Part {
  let round = 0
  return drafts.map((draft) => {
    if ('type' in draft && draft.type === 'user.message') round++
    if (round % 7 === 6) return draft
    return JSON.parse(JSON.stringify(draft), (_key, value: unknown) =>
      typeof value === 'string' && /^(?:ask-)?call-\d$/.test(value) ? `${value}-${round}` : value,
    ) as Draft
  })
}

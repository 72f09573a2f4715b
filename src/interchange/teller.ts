/**
 * Says what happened in another agent's session in events of ours: prompts, answers with their thinking and calls,
 * results, sub-agents, compactions, usage. It counts what it is told, gives every call one result, and settles a call
 * that was never answered when the conversation went on without it; one at the very end stays open, for the source may
 * still grow.
 */
import type { Draft, Payload } from '../format/event.ts'
import { INTERRUPTED } from '../state/provider-valid.ts'
import { defined } from '../lib/defined.ts'
import type { Dated } from './port.ts'
import type { Tally } from './tally.ts'

export type Picture = { readonly mimeType: string; readonly data: string }

/** When, and under which name. */
type Moment = { readonly at: string | undefined; readonly key: string }

type Prompt = Moment & {
  readonly text: string
  readonly images?: readonly Picture[]
  /** What the model got besides, such as files that were named in it. */
  readonly given?: string
}

export type CallMade = { readonly id: string; readonly name: string; readonly args: unknown }

type Answer = Moment & {
  readonly id: string
  readonly text: string
  readonly thinking?: string
  /** Sealed by its vendor: kept, never sent elsewhere. */
  readonly opaque?: string
  readonly calls?: readonly CallMade[]
  readonly model?: string
  readonly usage?: Usage
}

export type Usage = {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
  readonly dollars?: number
}

type Result = Moment & {
  readonly id: string
  readonly isError?: boolean
  readonly text: string
  readonly images?: readonly Picture[]
  /** For people: a unified diff. */
  readonly diff?: string
  readonly edits?: readonly { readonly path: string; readonly kind: 'create' | 'edit' }[]
  readonly exitCode?: number
}

type SubAgent = Moment & {
  readonly agentId: string
  readonly callId: string
  readonly name: string
  readonly description: string
  readonly model?: string
}

export interface Teller {
  prompt(prompt: Prompt): Dated[]
  answer(answer: Answer): Dated[]
  result(result: Result): Dated[]
  began(agent: SubAgent): Dated[]
  ended(agent: SubAgent & { readonly error?: string }): Dated[]
  compaction(
    given: Moment & {
      readonly summary: string
      readonly isManual?: boolean
      readonly tokens?: number
    },
  ): Dated[]
  used(given: Moment & { readonly model: string; readonly usage: Usage }): Dated[]
  remark(given: Moment & { readonly kind: string; readonly text: string }): Dated[]
  stopped(given: Moment): Dated[]
  /** Of a sub-agent: what it is told carries its id. */
  as(agentId: string): Teller
}

const EPOCH = '1970-01-01T00:00:00.000Z'

type Clock = { last: string }

export function createTeller(tally: Tally, startedAt: string): Teller {
  return tellerFor(tally, { last: startedAt })
}

function tellerFor(tally: Tally, clock: Clock, agentId?: string): Teller {
  const open = new Map<string, CallMade>()
  const answered = new Set<string>()

  /** A time that is missing or none is that of what came before. */
  function dated(draft: Draft, { at, key }: Moment, part: string): Dated {
    const time = at === undefined ? undefined : new Date(at)
    const isTime = time !== undefined && !Number.isNaN(time.getTime())
    if (isTime) clock.last = time.toISOString()
    const own = agentId === undefined ? draft : { ...draft, agentId }
    return { draft: own, at: clock.last || EPOCH, key: `${key} ${part}` }
  }

  function countTime({ at }: Moment): void {
    const isTime = at !== undefined && !Number.isNaN(new Date(at).getTime())
    tally.count('times', isTime ? 'kept' : 'lost')
  }

  const settled = (moment: Moment): Dated[] =>
    [...open.keys()].map((id) => {
      open.delete(id)
      answered.add(id)
      tally.interrupted()
      const error = { message: INTERRUPTED, code: 'interrupted' }
      return dated(
        { type: 'tool.execution_complete', data: { toolCallId: id, success: false, error } },
        { ...moment, at: clock.last },
        `interrupted ${id}`,
      )
    })

  const teller: Teller = {
    prompt(prompt) {
      const { text, images = [], given } = prompt
      const before = settled(prompt)
      if (agentId === undefined) {
        tally.turn()
        tally.count('prompts')
      }
      countTime(prompt)
      tally.count('images', 'kept', images.length)
      const attachments = images.map(({ mimeType, data }) => ({
        type: 'blob' as const,
        mimeType,
        data,
        byteLength: Math.floor((data.length * 3) / 4),
      }))
      const data: Payload<'user.message'> = {
        content: text,
        ...defined({ transformedContent: given }),
        ...(attachments.length > 0 && { attachments }),
      }
      return [...before, dated({ type: 'user.message', data }, prompt, 'prompt')]
    },
    answer(answer) {
      const { id, text, thinking, opaque, calls = [], model, usage } = answer
      const isSaid = text !== '' || calls.length > 0 || thinking !== undefined
      const told: Dated[] = []
      if (isSaid || opaque !== undefined) {
        tally.count('answers')
        countTime(answer)
        if (thinking !== undefined) tally.count('thinking')
        if (opaque !== undefined && thinking === undefined) {
          tally.count('thinking', 'changed')
          tally.note('Thinking that its vendor sealed is kept as it is and sent to nobody else.')
        }
        // An id that comes twice would be two calls with one result.
        const fresh = calls.filter((call) => !open.has(call.id) && !answered.has(call.id))
        const toolRequests = fresh.map((call) => ({
          toolCallId: call.id,
          name: call.name,
          arguments: call.args,
          type: 'function' as const,
        }))
        const data: Payload<'assistant.message'> = {
          messageId: id,
          content: text,
          ...(toolRequests.length > 0 && { toolRequests }),
          ...defined({ model, reasoningText: thinking, reasoningOpaque: opaque }),
        }
        told.push(dated({ type: 'assistant.message', data }, answer, 'answer'))
        for (const call of fresh) {
          open.set(call.id, call)
          tally.count('tool calls')
          const start = { toolCallId: call.id, toolName: call.name, arguments: call.args }
          told.push(dated({ type: 'tool.execution_start', data: start }, answer, `call ${call.id}`))
        }
      }
      if (usage !== undefined)
        told.push(...teller.used({ ...answer, model: model ?? 'unknown', usage }))
      return told
    },
    result(result) {
      const { id, isError = false, text, images = [], diff, edits, exitCode } = result
      const call = open.get(id)
      if (call === undefined) {
        tally.count('results', 'lost')
        tally.note(
          answered.has(id)
            ? 'A call that had its result already was answered once more; the first stands.'
            : 'A result names a call that was never made.',
        )
        return []
      }
      open.delete(id)
      answered.add(id)
      tally.count('results')
      countTime(result)
      if (diff !== undefined) tally.count('diffs')
      tally.count('images', 'kept', images.length)
      const contents = images.map(({ mimeType, data }) => ({
        type: 'image' as const,
        data,
        mimeType,
      }))
      const data: Payload<'tool.execution_complete'> = {
        toolCallId: id,
        success: !isError,
        ...(isError
          ? { error: { message: text || 'It failed.' } }
          : {
              result: {
                content: text,
                ...defined({ detailedContent: diff }),
                ...(contents.length > 0 && { contents }),
              },
            }),
        ...(edits !== undefined && edits.length > 0 && { fileEdits: [...edits] }),
        ...(exitCode !== undefined && { shellExecution: { exitCode } }),
      }
      return [dated({ type: 'tool.execution_complete', data }, result, `result ${id}`)]
    },
    began(agent) {
      tally.count('sub-agents')
      const { callId, name, description, model } = agent
      return [
        dated(
          {
            type: 'subagent.started',
            data: {
              toolCallId: callId,
              agentName: name,
              agentDisplayName: name,
              agentDescription: description,
              ...defined({ model }),
            },
            agentId: agent.agentId,
          },
          agent,
          `began ${agent.agentId}`,
        ),
      ]
    },
    ended(agent) {
      const { callId, name, model, error } = agent
      const about = {
        toolCallId: callId,
        agentName: name,
        agentDisplayName: name,
        ...defined({ model }),
      }
      const draft: Draft =
        error === undefined
          ? { type: 'subagent.completed', data: about, agentId: agent.agentId }
          : { type: 'subagent.failed', data: { ...about, error }, agentId: agent.agentId }
      return [dated(draft, agent, `ended ${agent.agentId}`)]
    },
    compaction(given) {
      const { summary, isManual, tokens } = given
      const before = settled(given)
      tally.count('compactions')
      const trigger = isManual === true ? 'manual' : 'threshold'
      return [
        ...before,
        dated({ type: 'session.compaction_start', data: { trigger } }, given, 'compaction'),
        dated(
          {
            type: 'session.compaction_complete',
            data: {
              success: true,
              trigger,
              summaryContent: summary,
              ...defined({ preCompactionTokens: tokens }),
            },
          },
          given,
          'compacted',
        ),
      ]
    },
    used(given) {
      const { model, usage } = given
      const { input, output, cacheRead, cacheWrite, reasoning, dollars } = usage
      if ([input, output, cacheRead, cacheWrite].every((count) => (count ?? 0) === 0)) return []
      tally.count('usage')
      return [
        dated(
          {
            type: 'session.usage_record',
            data: {
              usage: {
                model,
                ...defined({
                  inputTokens: input,
                  outputTokens: output,
                  cacheReadTokens: cacheRead,
                  cacheWriteTokens: cacheWrite,
                  reasoningTokens: reasoning,
                }),
              },
              ...(dollars !== undefined && { reprise: { dollars } }),
            },
          },
          given,
          'usage',
        ),
      ]
    },
    remark: (given) => [
      dated(
        { type: 'session.info', data: { infoType: given.kind, message: given.text } },
        given,
        'remark',
      ),
    ],
    stopped: (given) => [
      ...settled(given),
      dated({ type: 'abort', data: { reason: 'user_initiated' } }, given, 'stopped'),
    ],
    as: (id) => tellerFor(tally, clock, id),
  }
  return teller
}

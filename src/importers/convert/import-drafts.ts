/** What another agent's session tells, and the event of ours that says each. */
import type { Draft, Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'

export type Picture = { readonly mimeType: string; readonly data: string }

/** When, and under which name. */
export type Moment = { readonly at: string | undefined; readonly key: string }

export type Prompt = Moment & {
  readonly text: string
  readonly images?: readonly Picture[]
  /** What the model got besides, such as files that were named in it. */
  readonly given?: string
}

export type CallMade = { readonly id: string; readonly name: string; readonly args: unknown }

export type Answer = Moment & {
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

export type Result = Moment & {
  readonly id: string
  readonly isError?: boolean
  readonly text: string
  readonly images?: readonly Picture[]
  /** For people: a unified diff. */
  readonly diff?: string
  readonly edits?: readonly { readonly path: string; readonly kind: 'create' | 'edit' }[]
  readonly exitCode?: number
}

export type SubAgent = Moment & {
  readonly agentId: string
  readonly callId: string
  readonly name: string
  readonly description: string
  readonly model?: string
}

export type SubAgentEnd = SubAgent & { readonly error?: string }

export type Compaction = Moment & {
  readonly summary: string
  readonly isManual?: boolean
  readonly tokens?: number
}

export type Used = Moment & { readonly model: string; readonly usage: Usage }

export function promptDraft({ text, images = [], given }: Prompt): Draft {
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
  return { type: 'user.message', data }
}

export function answerDraft(
  { id, text, thinking, opaque, model }: Answer,
  calls: readonly CallMade[],
): Draft {
  const toolRequests = calls.map((call) => ({
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
  return { type: 'assistant.message', data }
}

export function resultDraft(result: Result): Draft {
  const { id, isError = false, text, images = [], diff, edits, exitCode } = result
  const contents = images.map(({ mimeType, data }) => ({ type: 'image' as const, data, mimeType }))
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
  return { type: 'tool.execution_complete', data }
}

export const beganDraft = ({ agentId, callId, name, description, model }: SubAgent): Draft => ({
  type: 'subagent.started',
  data: {
    toolCallId: callId,
    agentName: name,
    agentDisplayName: name,
    agentDescription: description,
    ...defined({ model }),
  },
  agentId,
})

export function endedDraft({ agentId, callId, name, model, error }: SubAgentEnd): Draft {
  const about = {
    toolCallId: callId,
    agentName: name,
    agentDisplayName: name,
    ...defined({ model }),
  }
  return error === undefined
    ? { type: 'subagent.completed', data: about, agentId }
    : { type: 'subagent.failed', data: { ...about, error }, agentId }
}

export function compactionDrafts({ summary, isManual, tokens }: Compaction): [Draft, Draft] {
  const trigger = isManual === true ? 'manual' : 'threshold'
  return [
    { type: 'session.compaction_start', data: { trigger } },
    {
      type: 'session.compaction_complete',
      data: {
        success: true,
        trigger,
        summaryContent: summary,
        ...defined({ preCompactionTokens: tokens }),
      },
    },
  ]
}

export const usageDraft = ({ model, usage }: Used): Draft => ({
  type: 'session.usage_record',
  data: {
    usage: {
      model,
      ...defined({
        inputTokens: usage.input,
        outputTokens: usage.output,
        cacheReadTokens: usage.cacheRead,
        cacheWriteTokens: usage.cacheWrite,
        reasoningTokens: usage.reasoning,
      }),
    },
    ...(usage.dollars !== undefined && { reprise: { dollars: usage.dollars } }),
  },
})

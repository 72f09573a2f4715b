/**
 * A session of ours as others can take it: prompts, answers with their calls, one result for every call, summaries. What
 * another agent has no place for is counted as changed or lost.
 */
import type { Event, Stranger } from '../format/event.ts'
import { INTERRUPTED } from '../state/provider-valid.ts'
import { defined } from '../lib/defined.ts'
import type { CallMade, Picture } from './told-drafts.ts'
import type { Tally } from './tally.ts'

export type Retold =
  | {
      readonly kind: 'prompt'
      readonly id: string
      readonly at: string
      readonly text: string
      readonly images: readonly Picture[]
    }
  | {
      readonly kind: 'answer'
      readonly id: string
      readonly at: string
      readonly text: string
      readonly calls: readonly CallMade[]
      readonly model?: string
    }
  | {
      readonly kind: 'result'
      readonly id: string
      readonly at: string
      readonly callId: string
      readonly isError: boolean
      readonly text: string
    }
  | { readonly kind: 'summary'; readonly id: string; readonly at: string; readonly text: string }

/** `picture` gives the bytes that an attachment names, as base64. */
export async function* retell(
  events: AsyncIterable<Event | Stranger> | Iterable<Event | Stranger>,
  tally: Tally,
  picture: (sha256: string) => Promise<string | undefined>,
): AsyncGenerator<Retold, void, void> {
  const open = new Map<string, string>()
  const settled = (id: string, at: string): Retold[] =>
    [...open.keys()].map((callId) => {
      open.delete(callId)
      tally.interrupted()
      return { kind: 'result', id: `${id}-${callId}`, at, callId, isError: true, text: INTERRUPTED }
    })
  for await (const event of events) {
    if ('stranger' in event) {
      tally.unknown(event.type)
      continue
    }
    const { id, timestamp: at } = event
    if (event.agentId !== undefined) {
      if (event.type === 'subagent.started') tally.count('sub-agents', 'changed')
      continue
    }
    switch (event.type) {
      case 'user.message': {
        yield* settled(id, at)
        tally.turn()
        tally.count('prompts')
        const images = await picturesOf(event.data, picture, tally)
        yield { kind: 'prompt', id, at, text: event.data.content, images }
        break
      }
      case 'assistant.message': {
        const { content, toolRequests = [], model, reasoningText } = event.data
        if (reasoningText !== undefined) tally.count('thinking', 'lost')
        if (content === '' && toolRequests.length === 0) break
        tally.count('answers')
        tally.count('tool calls', 'kept', toolRequests.length)
        for (const { toolCallId, name } of toolRequests) open.set(toolCallId, name)
        yield {
          kind: 'answer',
          id,
          at,
          text: content,
          calls: toolRequests.map(({ toolCallId, name, arguments: args }) => ({
            id: toolCallId,
            name,
            args: args ?? {},
          })),
          ...defined({ model }),
        }
        break
      }
      case 'tool.execution_complete': {
        const { toolCallId: callId, success, result, error } = event.data
        if (!open.delete(callId)) break
        tally.count('results')
        const images = (result?.contents ?? []).filter(({ type }) => type === 'image').length
        tally.count('images', 'lost', images)
        const text = success ? (result?.content ?? '') : (error?.message ?? result?.content ?? '')
        yield { kind: 'result', id, at, callId, isError: !success, text }
        break
      }
      case 'session.compaction_complete': {
        const text = event.data.summaryContent
        if (text === undefined) break
        yield* settled(id, at)
        yield { kind: 'summary', id, at, text }
        break
      }
      case 'session.usage_record':
        tally.count('usage', 'lost')
    }
  }
}

async function picturesOf(
  { attachments = [], reprise }: Extract<Event, { type: 'user.message' }>['data'],
  picture: (sha256: string) => Promise<string | undefined>,
  tally: Tally,
): Promise<readonly Picture[]> {
  const images: Picture[] = []
  for (const [index, attachment] of attachments.entries()) {
    if (attachment.type !== 'blob') continue
    const blob = reprise?.blobs?.find(({ field }) => field === `attachments.${index}.data`)
    const data = attachment.data || (blob && (await picture(blob.sha256)))
    if (data) images.push({ mimeType: attachment.mimeType, data })
    else tally.count('images', 'lost')
  }
  tally.count('images', 'kept', images.length)
  return images
}

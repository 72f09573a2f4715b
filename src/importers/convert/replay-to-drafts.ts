/**
 * A session of ours as others can take it: prompts, answers with their thinking, their calls and what they used, one result
 * for every call, summaries. Who writes it counts what the other agent has no place for.
 */
import type { Event, Payload, Stranger } from '../../format/event.ts'
import { INTERRUPTED } from '../../state/provider-valid.ts'
import { defined } from '../../lib/defined.ts'
import { pictureFinder, picturesOf, shownIn } from './pictures.ts'
import type { CallMade, Picture, Usage } from './import-drafts.ts'
import type { Tally } from './fidelity-report.ts'

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
      readonly thinking?: string
      /** Sealed by its vendor: of use there alone. */
      readonly sealed?: string
      readonly usage?: Usage
    }
  | {
      readonly kind: 'result'
      readonly id: string
      readonly at: string
      readonly callId: string
      readonly isError: boolean
      readonly text: string
      readonly images: readonly Picture[]
    }
  | { readonly kind: 'summary'; readonly id: string; readonly at: string; readonly text: string }

/** `picture` gives the bytes that an attachment names, as base64. */
export async function* retell(
  events: AsyncIterable<Event | Stranger> | Iterable<Event | Stranger>,
  tally: Tally,
  picture: (sha256: string) => Promise<string | undefined>,
): AsyncGenerator<Retold, void, void> {
  const open = new Map<string, string>()
  const find = pictureFinder(picture)
  /** What it used is written behind it. */
  let answer: Answer | undefined
  const answered = (): Answer[] => {
    const told = answer === undefined ? [] : [answer]
    answer = undefined
    return told
  }
  const settled = (id: string, at: string): Retold[] =>
    [...open.keys()].map((callId) => {
      open.delete(callId)
      tally.interrupted()
      const result = { id: `${id}-${callId}`, at, callId, isError: true, text: INTERRUPTED }
      return { kind: 'result', ...result, images: [] }
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
      case 'session.binary_asset':
        find.keep(event.data)
        break
      case 'user.message': {
        yield* answered()
        yield* settled(id, at)
        tally.turn()
        tally.count('prompts')
        const images = await picturesOf(event.data, find, tally)
        yield { kind: 'prompt', id, at, text: event.data.content, images }
        break
      }
      case 'assistant.message': {
        const { content, toolRequests = [], model, reasoningText, reasoningOpaque } = event.data
        yield* answered()
        if (content === '' && toolRequests.length === 0) {
          if (reasoningText !== undefined) tally.count('thinking', 'lost')
          break
        }
        tally.count('answers')
        tally.count('tool calls', 'kept', toolRequests.length)
        for (const { toolCallId, name } of toolRequests) open.set(toolCallId, name)
        answer = {
          kind: 'answer',
          id,
          at,
          text: content,
          calls: toolRequests.map(({ toolCallId, name, arguments: args }) => ({
            id: toolCallId,
            name,
            args: args ?? {},
          })),
          ...defined({ model, thinking: reasoningText, sealed: reasoningOpaque }),
        }
        break
      }
      case 'tool.execution_complete': {
        const { toolCallId: callId, success, result, error } = event.data
        if (!open.delete(callId)) break
        yield* answered()
        tally.count('results')
        const images = await shownIn(event.data, find, tally)
        const text = success ? (result?.content ?? '') : (error?.message ?? result?.content ?? '')
        yield { kind: 'result', id, at, callId, isError: !success, text, images }
        break
      }
      case 'session.compaction_complete': {
        const text = event.data.summaryContent
        if (text === undefined) break
        yield* answered()
        yield* settled(id, at)
        yield { kind: 'summary', id, at, text }
        break
      }
      case 'session.usage_record': {
        // What was asked beside the conversation, as for its title, is no part of it.
        if (answer === undefined || event.data.reprise?.purpose !== undefined) break
        answer = { ...answer, usage: usageOf(event.data.usage, event.data.reprise?.dollars) }
      }
    }
  }
  yield* answered()
}

type Answer = Extract<Retold, { kind: 'answer' }>

const usageOf = (
  used: Payload<'session.usage_record'>['usage'],
  dollars: number | undefined,
): Usage =>
  defined({
    input: used.inputTokens,
    output: used.outputTokens,
    cacheRead: used.cacheReadTokens,
    cacheWrite: used.cacheWriteTokens,
    reasoning: used.reasoningTokens,
    dollars,
  })

/** The calls of a model in one turn, as the log tells them: who was asked, what was sent, what it used. */
import type { EventOf } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'
import { isRoot, isStranger, type Placed } from './positioned-event.ts'

export type TurnCall = {
  /** What came of it. */
  readonly answer: EventId
  readonly model?: string
  /** The hash of the request as it was sent, when Reprise itself sent it. */
  readonly requestSha256?: string
  /** Where the definitions of the tools are kept that it was sent with. */
  readonly toolsSha256?: string
  /** As the provider counted them. */
  readonly inputTokens?: number
  readonly outputTokens?: number
}

export type TurnCalls = {
  readonly calls: readonly TurnCall[]
  /** What agents with a context of their own told of how they came to it. */
  readonly notes: readonly string[]
}

export function callsOf(records: Iterable<Placed>): TurnCalls {
  const calls: TurnCall[] = []
  const notes: string[] = []
  const byApiCall = new Map<string, number>()
  for (const { event } of records) {
    if (isStranger(event)) continue
    if (event.type === 'session.info' && event.data.infoType === 'agent')
      notes.push(event.data.message)
    if (event.type === 'assistant.message' && isAnswer(event)) {
      const { model, apiCallId } = event.data
      if (apiCallId !== undefined) byApiCall.set(apiCallId, calls.length)
      calls.push({ answer: event.id, ...defined({ model }) })
    }
    if (event.type !== 'session.usage_record' || event.agentId !== undefined) continue
    const at = byApiCall.get(event.data.usage.apiCallId ?? '')
    const call = at === undefined ? undefined : calls[at]
    if (at !== undefined && call !== undefined) calls[at] = { ...call, ...usedBy(event) }
  }
  return { calls, notes }
}

/** What broke and was asked for again is told by the answer that came. */
const isAnswer = (event: EventOf<'assistant.message'>): boolean =>
  isRoot(event) && event.data.reprise?.unfinished !== 'retried'

function usedBy({ data }: EventOf<'session.usage_record'>): Partial<TurnCall> {
  const { inputTokens, outputTokens } = data.usage
  const { requestSha256, blobs = [] } = data.reprise ?? {}
  const toolsSha256 = blobs.find(({ field }) => field === 'reprise.tools')?.sha256
  return defined({ requestSha256, toolsSha256, inputTokens, outputTokens })
}

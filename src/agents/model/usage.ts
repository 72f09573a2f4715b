/** What one call used, as it is recorded and told: tokens, time, and money where a price is known. */
import type { AgentItem } from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'
import type { NoticePayload } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import type { ModelConfig, Price } from './config.ts'
import type { Called } from './retry.ts'
import type { Usage } from './model-call.ts'

type Amounts = Payload<'session.usage_record'>['usage']

type About = {
  readonly model: string
  readonly reasoningEffort: string | undefined
  /** How the model was told of its tools. */
  readonly tools: string | undefined
  /** The first call that answers a message, not one that goes on with what tools gave. */
  readonly isOfUser: boolean
}

type Priced = Pick<ModelConfig, 'provider' | 'price'>

/** As front ends are told of it. */
export function usageTold(
  record: Payload<'session.usage_record'>,
  { isNested }: { readonly isNested: boolean },
): AgentItem {
  const { modelProvider: _, numToolCalls: __, ...usage } = record.usage
  const data = {
    ...usage,
    cost: 0, // premium requests, of which a key of one's own uses none
    interactionType: isNested ? 'conversation-subagent' : 'conversation-agent',
    contentFilterTriggered: usage.finishReason === 'content_filter',
    isAuto: false,
    transport: 'http',
  }
  return { notice: { type: 'assistant.usage', data: data as NoticePayload<'assistant.usage'> } }
}

export function usageRecord(
  called: Called,
  { model, reasoningEffort, tools, isOfUser }: About,
  { provider, price }: Priced,
): Payload<'session.usage_record'> {
  const usage: Amounts = {
    model,
    ...tokensOf(called.usage),
    duration: Math.round(called.durationMs),
    ...(called.timeToFirstTokenMs !== undefined && {
      timeToFirstTokenMs: Math.round(called.timeToFirstTokenMs),
    }),
    finishReason: called.finishReason.replaceAll('-', '_'),
    ...defined({ reasoningEffort }),
    apiCallId: called.apiCallId,
    ...defined({ providerCallId: called.responseId }),
    apiEndpoint: ENDPOINTS[provider],
    modelProvider: provider,
    initiator: isOfUser ? 'user' : 'agent',
    isByok: true,
    numToolCalls: called.calls.length,
  }
  const { requestSha256 } = called
  // Not as its cost, which in this format is premium requests.
  const known = price?.(model)
  const dollars = known === undefined ? undefined : costOf(called.usage, known)
  const own = defined({ requestSha256, dollars, tools })
  const reprise = Object.keys(own).length === 0 ? undefined : own
  return { usage, ...defined({ reprise }) }
}

const ENDPOINTS = {
  'openai-compatible': '/chat/completions',
  openai: '/responses',
  anthropic: '/v1/messages',
} as const satisfies Record<ModelConfig['provider'], string>

function tokensOf({ inputTokens, outputTokens }: Usage): Partial<Amounts> {
  const amounts = {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite,
    reasoningTokens: outputTokens.reasoning,
  }
  return Object.fromEntries(
    Object.entries(amounts).filter(([, count]) => Number.isSafeInteger(count)),
  )
}

function costOf({ inputTokens, outputTokens }: Usage, price: Price): number {
  const { total = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens
  const plain = Math.max(0, total - cacheRead - cacheWrite)
  const sum =
    plain * price.input +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input) +
    (outputTokens.total ?? 0) * price.output
  // Without the noise of binary fractions.
  return Math.round(sum) / 1e6
}

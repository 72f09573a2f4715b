/** One call of a model as a row. Numbers that SQLite cannot hold as such are left out. */
import type { Payload } from '../format/event.ts'
import { priceOfCall } from '../state/usage.ts'
import { clean } from './text.ts'

type UsageValues = Readonly<Record<string, string | number | null>>

/** In the order of the columns that they go to. */
export function usageValues(data: Payload<'session.usage_record'>): UsageValues {
  const { usage } = data
  const { cost, dollars } = priceOfCall(data)
  const bill = fieldsOf(usage.copilotUsage)
  return {
    parent_tool_call_id: text(usage.parentToolCallId),
    model: text(usage.model),
    copilot_usage_model: text(bill.model),
    input_tokens: whole(usage.inputTokens),
    output_tokens: whole(usage.outputTokens),
    cache_read_tokens: whole(usage.cacheReadTokens),
    cache_write_tokens: whole(usage.cacheWriteTokens),
    reasoning_tokens: whole(usage.reasoningTokens),
    total_nano_aiu: number(bill.totalNanoAiu),
    request_multiplier: number(cost),
    dollars: number(dollars),
    duration_ms: number(usage.duration),
    time_to_first_token_ms: number(usage.timeToFirstTokenMs),
    inter_token_latency_ms: number(usage.interTokenLatencyMs),
    initiator: text(usage.initiator),
    api_endpoint: text(usage.apiEndpoint),
    reasoning_effort: text(usage.reasoningEffort),
    finish_reason: text(usage.finishReason),
    token_details_json: bill.tokenDetails === undefined ? null : JSON.stringify(bill.tokenDetails),
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? clean(value) : null)

const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const whole = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? Number(value) : null

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

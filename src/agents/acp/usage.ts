/**
 * What an answer used, as far as the agent tells. The protocol counts over the whole session of the agent, some agents
 * count each answer: numbers that never fall are taken as running totals, and the difference is what is recorded.
 */
import type { Draft } from '../../format/event.ts'
import { countIn } from '../../lib/fields.ts'
import type { Fields } from '../../lib/fields.ts'

const fields = {
  inputTokens: 'inputTokens',
  outputTokens: 'outputTokens',
  cacheReadTokens: 'cachedReadTokens',
  cacheWriteTokens: 'cachedWriteTokens',
  reasoningTokens: 'thoughtTokens',
} as const

type Counter = { usage?: Fields }

export function usageRecord(counter: Counter, usage: Fields, model: string): Draft | undefined {
  if (countIn(usage, 'inputTokens') === undefined && countIn(usage, 'outputTokens') === undefined) {
    return undefined
  }
  const earlier = counter.usage ?? {}
  counter.usage = usage
  const keys = Object.values(fields)
  const isTotal = keys.every((key) => (countIn(usage, key) ?? 0) >= (countIn(earlier, key) ?? 0))
  const amounts = Object.fromEntries(
    Object.entries(fields).flatMap(([ours, theirs]) => {
      const count = countIn(usage, theirs)
      return count === undefined
        ? []
        : [[ours, count - (isTotal ? (countIn(earlier, theirs) ?? 0) : 0)]]
    }),
  )
  const data = { usage: { model, ...amounts }, acp: usage }
  return { type: 'session.usage_record', data }
}

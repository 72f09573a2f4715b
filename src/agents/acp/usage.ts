/**
 * What an answer used, as far as the agent tells. Some agents count each answer, others all of them since they were
 * started: that is known of each known agent. Of any other, numbers that never fall are taken as running totals. Of a
 * running total the difference is what is recorded. Money is always told as the total of the agent's own session.
 */
import type { Draft } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { countIn, fieldsOf, type Fields } from '../../lib/fields.ts'
import { knownAgents, knownNames, type KnownAgent } from './known.ts'

const fields = {
  inputTokens: 'inputTokens',
  outputTokens: 'outputTokens',
  cacheReadTokens: 'cachedReadTokens',
  cacheWriteTokens: 'cachedWriteTokens',
  reasoningTokens: 'thoughtTokens',
} as const

type Counter = {
  usage?: Fields
  /** In dollars: all that its session cost, as it last told, and how much of that is recorded already. */
  cost?: { readonly told?: number; readonly recorded: number }
  /** Of the answer at hand, one for each request to the model, where the agent tells them so. */
  requests?: readonly Fields[]
}

/** Qwen tells the tokens of each request beside its words. */
export function hearUsage(counter: Counter, { _meta, sessionUpdate, cost }: Fields): void {
  const { amount, currency } = fieldsOf(cost)
  if (sessionUpdate === 'usage_update' && typeof amount === 'number' && currency === 'USD')
    counter.cost = { recorded: 0, ...counter.cost, told: amount }
  const usage = fieldsOf(fieldsOf(_meta)['usage'])
  if (countIn(usage, 'inputTokens') !== undefined)
    counter.requests = [...(counter.requests ?? []), usage]
}

function sumOf(requests: readonly Fields[]): Fields {
  const sum = (key: string) => requests.reduce((all, each) => all + (countIn(each, key) ?? 0), 0)
  return requests.length === 0
    ? {}
    : Object.fromEntries(Object.values(fields).map((key) => [key, sum(key)]))
}

/** What is told before the first question was spent before it: by others, or it is in the log already. */
export function beforeFirstPrompt(counter: Counter, recorded: number): void {
  counter.cost ??= { recorded }
  if (counter.cost.told !== undefined) counter.cost = { recorded: counter.cost.told }
}

/** A total that fell began anew. Nothing is no price: agents tell it of models whose price they do not know, too. */
function takeDollars(counter: Counter): number | undefined {
  const { told, recorded = 0 } = counter.cost ?? {}
  if (told === undefined) return undefined
  counter.cost = { recorded: told }
  const spent = told < recorded ? told : told - recorded
  // Without the noise of binary fractions.
  return Math.round(spent * 1e9) / 1e9 || undefined
}

/** `result` is the agent's whole answer to a prompt; `name` the agent's. */
export function usageRecord(
  counter: Counter,
  result: Fields,
  { name, model }: { readonly name: string; readonly model: string },
): Draft | undefined {
  const usage = {
    ...sumOf(counter.requests ?? []),
    ...quotaOf(result),
    ...fieldsOf(result['usage']),
  }
  counter.requests = []
  const dollars = takeDollars(counter)
  const isTold = ['inputTokens', 'outputTokens'].some((key) => countIn(usage, key) !== undefined)
  if (!isTold && dollars === undefined) return undefined
  const earlier = counter.usage ?? {}
  counter.usage = usage
  const keys = Object.values(fields)
  const neverFell = keys.every((key) => (countIn(usage, key) ?? 0) >= (countIn(earlier, key) ?? 0))
  // A total that fell began anew, with the agent.
  const isTotal = countsOf(name, result) === 'running-total' && neverFell
  const amounts = Object.fromEntries(
    Object.entries(fields).flatMap(([ours, theirs]) => {
      const count = countIn(usage, theirs)
      return count === undefined
        ? []
        : [[ours, count - (isTotal ? (countIn(earlier, theirs) ?? 0) : 0)]]
    }),
  )
  const reprise = dollars === undefined ? undefined : { dollars }
  const data = { usage: { model, ...amounts }, ...defined({ reprise }), acp: usage }
  return { type: 'session.usage_record', data }
}

/** In version 2, where a state ends the answer, tokens are those of one answer. `name` may be the agent's program. */
function countsOf(name: string, { state }: Fields): KnownAgent['counts'] {
  if (state === 'idle') return 'per-answer'
  const known = knownNames.find((each) => each === name || knownAgents[each].command === name)
  return known === undefined ? 'running-total' : knownAgents[known].counts
}

/** Gemini tells its tokens beside the answer. */
function quotaOf(result: Fields): Fields {
  const count = fieldsOf(fieldsOf(fieldsOf(result['_meta'])['quota'])['token_count'])
  const [inputTokens, outputTokens] = [
    countIn(count, 'input_tokens'),
    countIn(count, 'output_tokens'),
  ]
  return defined({ inputTokens, outputTokens })
}

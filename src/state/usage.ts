/**
 * What a session cost. Usage records are the account; the output that a message tells of itself counts
 * only while its model call has no record, so nothing is counted twice.
 */
import type { Payload } from '../format/event.ts'
import { defined } from '../lib/defined.ts'

export type Amounts = {
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
  /** Premium requests, as the provider weighs them. Who pays the provider itself uses none. */
  readonly cost: number
  /** As far as prices were known when it was recorded. */
  readonly dollars: number
  /** For which calls of models were waited. */
  readonly durationMs: number
  readonly nanoAiu: number
}

type ModelUsage = Amounts & { readonly model: string }

export type Usage = Amounts & {
  readonly models: readonly ModelUsage[]
  /** The one of the agent itself that was recorded last. */
  readonly lastCall?: Pick<Amounts, 'inputTokens' | 'outputTokens'>
  /** Model calls that have not ended: whether a record came, and what their messages told until then. */
  readonly current: readonly CurrentCall[]
}

type CurrentCall = {
  readonly agentId?: string
  readonly recorded: boolean
  readonly told: readonly { readonly model: string; readonly outputTokens: number }[]
}

const none: Amounts = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  dollars: 0,
  durationMs: 0,
  nanoAiu: 0,
}

export const noUsage: Usage = { ...none, models: [], current: [] }

/** As another writer may have written it: missing, or a number that JSON cannot hold. */
type Measured = { readonly [K in keyof Amounts]?: number | undefined }

export interface UsageMeter {
  callStarted(agentId: string | undefined): void
  callEnded(agentId: string | undefined): void
  /** No call goes on: the process that made them is gone. */
  interrupted(): void
  record(agentId: string | undefined, model: string, amounts: Measured): void
  /** A call that was made beside the conversation; it says nothing of the one that goes on. */
  beside(model: string, amounts: Measured): void
  message(agentId: string | undefined, model: string, outputTokens: number): void
  total(): Usage
}

type Sums = { -readonly [K in keyof Amounts]: number }
type Call = { recorded: boolean; told: { model: string; outputTokens: number }[] }

export function openMeter(from: Usage): UsageMeter {
  const { models, current, lastCall: lastOf, ...sums } = from
  let lastCall = lastOf
  const total: Sums = sums
  const byModel = new Map(models.map(({ model, ...each }): [string, Sums] => [model, each]))
  const calls = new Map<string | undefined, Call>()
  for (const { agentId, recorded, told } of current)
    calls.set(agentId, { recorded, told: [...told] })

  function add(model: string, amounts: Measured) {
    let own = byModel.get(model)
    if (own === undefined) byModel.set(model, (own = { ...none }))
    for (const key of keys) {
      const amount = countable(amounts[key])
      if (amount === 0) continue
      total[key] += amount
      own[key] += amount
    }
  }

  return {
    callStarted: (agentId) => void calls.set(agentId, { recorded: false, told: [] }),
    callEnded: (agentId) => void calls.delete(agentId),
    interrupted: () => calls.clear(),
    record(agentId, model, amounts) {
      const call = calls.get(agentId)
      for (const told of call?.told ?? []) add(told.model, { outputTokens: -told.outputTokens })
      if (call !== undefined) calls.set(agentId, { recorded: true, told: [] })
      add(model, { requests: 1, ...amounts })
      // What a sub-agent was given says nothing of how full this context is.
      if (agentId !== undefined) return
      const { inputTokens, outputTokens } = amounts
      lastCall = { inputTokens: countable(inputTokens), outputTokens: countable(outputTokens) }
    },
    beside: (model, amounts) => add(model, { requests: 1, ...amounts }),
    message(agentId, model, outputTokens) {
      const call = calls.get(agentId)
      if (call?.recorded === true) return
      call?.told.push({ model, outputTokens: countable(outputTokens) })
      add(model, { outputTokens })
    },
    total: () => ({
      ...total,
      ...defined({ lastCall }),
      models: Array.from(byModel, ([model, each]) => ({ model, ...each })),
      current: Array.from(calls, ([agentId, { recorded, told }]) => ({
        ...defined({ agentId }),
        recorded,
        told: told.slice(),
      })),
    }),
  }
}

const countable = (amount = 0) => (Math.abs(amount) <= Number.MAX_SAFE_INTEGER ? amount : 0)

const keys = Object.keys(none) as (keyof Amounts)[]

/** What a record tells of its call, in the order of the names above. */
export function amountsOf(data: Payload<'session.usage_record'>): Partial<Amounts> {
  const { usage } = data
  const told: Measured = {
    ...usage,
    ...priceOfCall(data),
    requests: 1,
    durationMs: usage.duration,
    nanoAiu: nanoAiuOf(usage.copilotUsage),
  }
  return Object.fromEntries(
    keys.flatMap((key) => (told[key] === undefined ? [] : [[key, countable(told[key])]])),
  )
}

function nanoAiuOf(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const { totalNanoAiu } = usage as { readonly totalNanoAiu?: unknown }
  return typeof totalNanoAiu === 'number' ? totalNanoAiu : undefined
}

/**
 * What one call cost, each by its own name. With a key of one's own no premium request is used: what earlier records
 * of such calls have as their cost is dollars.
 */
export function priceOfCall({ usage, reprise }: Payload<'session.usage_record'>): {
  readonly cost: number | undefined
  readonly dollars: number | undefined
} {
  if (usage.isByok !== true) return { cost: usage.cost, dollars: reprise?.dollars }
  return { cost: undefined, dollars: reprise?.dollars ?? usage.cost }
}

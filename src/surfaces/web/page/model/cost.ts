/** The report of costs as the page draws it, read from what programs are given. */
import { amount } from '../../../../lib/quantities.ts'
import { money } from './words.ts'

type CostSum = {
  readonly name: string
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly tokens: number
  /** Null where nothing has a price. */
  readonly dollars: number | null
}

type Cost = {
  readonly sessions: number
  readonly total: CostSum | undefined
  readonly models: readonly CostSum[]
  readonly repositories: readonly CostSum[]
  readonly withoutPrice: readonly string[]
}

export function costIn(json: Readonly<Record<string, unknown>>): Cost {
  const report = json as Partial<Cost> & { readonly total?: CostSum | null }
  return {
    sessions: report.sessions ?? 0,
    total: report.total ?? undefined,
    models: report.models ?? [],
    repositories: report.repositories ?? [],
    withoutPrice: report.withoutPrice ?? [],
  }
}

/** Bars beside each other measure one thing: money where all have a price, else tokens. */
export function costBars(
  sums: readonly CostSum[],
): readonly { readonly name: string; readonly value: number; readonly label: string }[] {
  const isPriced = sums.every(({ dollars }) => dollars !== null)
  return sums.map(({ name, tokens, dollars }) => ({
    name,
    value: isPriced ? (dollars ?? 0) : tokens,
    label: [...(dollars === null ? [] : [money(dollars)]), `${amount(tokens)} tokens`].join(' · '),
  }))
}

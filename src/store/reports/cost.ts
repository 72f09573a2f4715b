/** Tokens and money by model, day and repository, with bars that any terminal can show. */
import type { CostEvidence, Use } from './cost-evidence.ts'
import { costOf, priceOf, type Prices } from './prices.ts'
import type { Report, Scope } from './report.ts'
import { bars } from './bars.ts'
import { sinceWords } from './local-day.ts'
import { code, joined, oneLine } from './words.ts'
import { amount, counted } from '../../lib/quantities.ts'

export type CostOptions = {
  /** The user's own prices, before the list. */
  readonly prices?: Prices
}

/** As many as fit on a screen; all of them are in the JSON. */
const MOST_BARS = 31

type Sum = {
  readonly name: string
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly tokens: number
  /** Null when nothing of it has a price. */
  readonly dollars: number | null
}

export function cost(evidence: CostEvidence, scope: Scope, options: CostOptions = {}): Report {
  const priced = withDollars(evidence.uses, options)
  const by = (name: (use: Use) => string) => sumBy(priced, name)
  const [total] = by(() => 'total')
  const [takenBack] = sumBy(
    priced.filter((use) => use.takenBack === 1),
    () => 'taken back',
  )
  const models = by(({ model }) => model).sort(largestFirst)
  const days = by(({ day }) => day)
  const repositories = by(({ repository }) => repository).sort(largestFirst)
  const unknown = models.filter(({ dollars }) => dollars === null).map(({ name }) => name)
  const requests = evidence.uses.reduce((sum, use) => sum + use.requests, 0)
  const { since, until, repository } = scope
  const { sessions, untold = 0 } = evidence
  const json = {
    since,
    until,
    repository: repository ?? null,
    sessions,
    total: total ?? null,
    takenBack: takenBack ?? null,
    premiumRequests: requests,
    models,
    days,
    repositories,
    withoutPrice: unknown,
    sessionsWithoutTokens: untold,
  }
  const title = `# Cost since ${sinceWords(scope)}`
  if (total === undefined)
    return {
      kind: 'cost',
      json,
      markdown: joined(title, NOTHING, untold > 0 && withoutTokens(untold)),
    }
  const chart = (sums: readonly Sum[]) =>
    bars(
      sums.map((sum) => ({ name: oneLine(sum.name, 40), size: sum.tokens, label: labelOf(sum) })),
    )
  const premium =
    requests > 0 ? ` ${counted(Math.round(requests * 100) / 100, 'premium request')}.` : ''
  return {
    kind: 'cost',
    json,
    markdown: joined(
      title,
      `${counted(total.calls, 'call')} of models in ${counted(sessions, 'session')}: ${labelOf(total)} (${amount(total.input)} in, ${amount(total.output)} out).${premium}`,
      takenBack !== undefined && `Of these, ${labelOf(takenBack)} in turns that were taken back.`,
      `## By model\n\n${chart(models.slice(0, MOST_BARS))}`,
      `## By day\n\n${chart(days.slice(-MOST_BARS))}`,
      `## By repository\n\n${chart(repositories.slice(0, MOST_BARS))}`,
      unknown.length > 0 && withoutPrice(unknown),
      untold > 0 && withoutTokens(untold),
      total.dollars !== null && ESTIMATE,
    ),
  }
}

type Priced = Use & { readonly dollars: number | null }

export const withDollars = (uses: readonly Use[], { prices }: CostOptions): Priced[] =>
  uses.map((use) => ({ ...use, dollars: dollarsOf(use, prices) }))

/** The user's own price counts most, then what was recorded with the call, then the list. */
function dollarsOf(use: Use, own: Prices | undefined): number | null {
  const configured = own && priceOf(use.model, own)
  if (configured !== undefined) return costOf(use, configured)
  if (use.recorded !== null && use.unpriced === 0) return use.recorded
  const listed = priceOf(use.model)
  return listed === undefined ? use.recorded : costOf(use, listed)
}

export function sumBy(uses: readonly Priced[], nameOf: (use: Use) => string): Sum[] {
  return Array.from(Map.groupBy(uses, nameOf), ([name, all]) => {
    const total = (amountOf: (use: Use) => number) =>
      all.reduce((sum, use) => sum + amountOf(use), 0)
    const priced = all.flatMap(({ dollars }) => dollars ?? [])
    const [input, output] = [total((use) => use.input), total((use) => use.output)]
    return {
      name,
      calls: total((use) => use.calls),
      input,
      output,
      tokens: input + output,
      // Without the noise of binary fractions.
      dollars:
        priced.length === 0
          ? null
          : Math.round(priced.reduce((sum, one) => sum + one, 0) * 1e6) / 1e6,
    }
  })
}

const largestFirst = (a: Sum, b: Sum): number =>
  (b.dollars ?? 0) - (a.dollars ?? 0) || b.tokens - a.tokens

const labelOf = ({ tokens, dollars }: Sum): string =>
  `${amount(tokens)} tokens${dollars === null ? '' : `, ${money(dollars)}`}`

const money = (dollars: number): string =>
  `$${dollars.toFixed(dollars !== 0 && dollars < 0.1 ? 4 : 2)}`

const NOTHING = `No model was used in this time, as far as the store knows. Look further back with ${code('--since 90d')}, or index old sessions with ${code('reprise chronicle reindex')}.`

const ESTIMATE =
  'Money is what was recorded with a call, or else an estimate from list prices; a bill may differ.'

const withoutPrice = (models: readonly string[]): string =>
  `No price is known for ${models.map((model) => code(model, 60)).join(', ')}. Set one, in dollars for a million tokens: ${code(`reprise config set prices '{"model": {"input": 1, "output": 4}}'`)}.`

const withoutTokens = (sessions: number): string =>
  `Of ${counted(sessions, 'session')} more no tokens are known: the agent there does not tell them, or asked no model.`

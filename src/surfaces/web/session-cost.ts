/** What a session cost so far: by the user's own prices, else as it was recorded, else by those of the list. */
import { costOf, priceOf, type Prices } from '../../store/reports/prices.ts'
import type { Usage } from '../../state/usage.ts'

/** Null when none of its models has a price and nothing was told. */
export function dollarsOf({ models }: Usage, own: Prices | undefined): number | null {
  let sum: number | null = null
  for (const used of models) {
    const configured = own && priceOf(used.model, own)
    if (configured === undefined && used.dollars > 0) {
      sum = (sum ?? 0) + used.dollars
      continue
    }
    const price = configured ?? priceOf(used.model)
    if (price === undefined) continue
    const tokens = {
      input: used.inputTokens,
      output: used.outputTokens,
      cacheRead: used.cacheReadTokens,
      cacheWrite: used.cacheWriteTokens,
    }
    sum = (sum ?? 0) + costOf(tokens, price)
  }
  return sum
}

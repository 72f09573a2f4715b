/** What tokens cost, in dollars for a million. List prices, to be overridden by the user's own configuration. */

type Price = {
  readonly input: number
  readonly output: number
  /** The price of input when left out. */
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

export type Prices = Readonly<Record<string, Price>>

/** By the beginning of the model's name; the longest that fits counts. */
const listPrices: Prices = {
  'claude-opus-4': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'claude-opus-4.5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4.6': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-sonnet-4': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-4': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cacheRead: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cacheRead: 0.1 },
  'gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cacheRead: 0.075 },
  'gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03 },
}

/** Providers write 4-5 for 4.5 and put themselves before a slash. */
export function priceOf(model: string, prices: Prices = listPrices): Price | undefined {
  const name = normal(model)
  let best = ''
  for (const key of Object.keys(prices)) {
    if (name.startsWith(normal(key)) && key.length > best.length) best = key
  }
  return best === '' ? undefined : prices[best]
}

const normal = (name: string): string => {
  const lower = name.toLowerCase()
  return lower.slice(lower.lastIndexOf('/') + 1).replace(/(\d)-(\d)(?!\d)/g, '$1.$2')
}

export type Tokens = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** Tokens of the cache are part of the input. */
export function costOf({ input, output, cacheRead, cacheWrite }: Tokens, price: Price): number {
  const plain = Math.max(0, input - cacheRead - cacheWrite)
  const millionths =
    plain * price.input +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input) +
    output * price.output
  return millionths / 1e6
}

/** Cost over fixed rows: sums, bars, and which price counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cost } from './cost.ts'
import type { Use } from './cost-evidence.ts'
import { costOf, priceOf } from './prices.ts'

const scope = { since: '2026-02-01T00:00:00.000Z', until: '2026-03-02T12:00:00.000Z' }

const use = (over: Partial<Use>): Use => ({
  model: 'gpt-5',
  day: '2026-03-01',
  repository: 'octo/one',
  calls: 1,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  recorded: null,
  unpriced: 1,
  requests: 0,
  takenBack: 0,
  ...over,
})

test('tokens and money are shown by model, day and repository', () => {
  const { markdown, json } = cost(
    {
      sessions: 2,
      uses: [
        use({ calls: 3, input: 1_000_000, output: 200_000, cacheRead: 400_000 }),
        use({ day: '2026-03-02', input: 300_000, output: 0, repository: 'octo/two' }),
        use({ model: 'llama', day: '2026-03-02', input: 1000, output: 500, requests: 2 }),
      ],
    },
    scope,
  )
  assert.equal(
    markdown,
    `# Cost since 2026-02-01 00:00 UTC

5 calls of models in 2 sessions: 1.5M tokens, $3.17 (1.3M in, 201k out). 2 premium requests.

## By model

\`\`\`text
gpt-5  ██████████████████████████████  1.5M tokens, $3.17
llama  █                               1.5k tokens
\`\`\`

## By day

\`\`\`text
2026-03-01  ██████████████████████████████  1.2M tokens, $2.80
2026-03-02  ████████                        302k tokens, $0.38
\`\`\`

## By repository

\`\`\`text
octo/one  ██████████████████████████████  1.2M tokens, $2.80
octo/two  ███████                         300k tokens, $0.38
\`\`\`

No price is known for \`llama\`. Set one, in dollars for a million tokens: \`reprise config set prices '{"model": {"input": 1, "output": 4}}'\`.

Money is what was recorded with a call, or else an estimate from list prices; a bill may differ.
`,
  )
  const { total, withoutPrice } = json as { total: { dollars: number }; withoutPrice: string[] }
  assert.deepEqual([total.dollars, withoutPrice], [3.175, ['llama']])
})

test('the own price counts before what was recorded, and that before the list', () => {
  const dollars = (one: Use, prices = {}) =>
    (cost({ sessions: 1, uses: [one] }, scope, { prices }).json.total as { dollars: number })
      .dollars
  const million = use({ input: 1_000_000, recorded: 7, unpriced: 0 })
  assert.equal(dollars(million, { 'GPT-5': { input: 100, output: 1 } }), 100)
  assert.equal(dollars(million), 7)
  assert.equal(dollars({ ...million, unpriced: 1 }), 1.25)
  assert.equal(dollars({ ...million, model: 'llama', unpriced: 1 }), 7)
  assert.equal(dollars(use({ model: 'llama' })), null)
})

test('a price is found by the longest beginning, however a provider writes the name', () => {
  const input = (model: string) => priceOf(model)?.input
  assert.deepEqual(
    ['gpt-5-mini-2025-08-07', 'openai/gpt-5', 'claude-opus-4-5-20251101', 'Claude-Opus-4.1'].map(
      input,
    ),
    [0.25, 1.25, 5, 15],
  )
  assert.deepEqual(['claude-sonnet-4-20250514', 'qwen3', ''].map(input), [3, undefined, undefined])
  const tokens = { input: 10, output: 1, cacheRead: 8, cacheWrite: 5 }
  assert.equal(costOf(tokens, { input: 1, output: 2 }), 15e-6)
})

test('without use it says where to look', () => {
  const { markdown } = cost({ sessions: 0, uses: [] }, scope)
  assert.match(markdown, /No model was used in this time/)
})

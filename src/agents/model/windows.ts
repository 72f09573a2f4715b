/** How much the well-known families of models take, in tokens. An unknown model has no entry: it tells when it is full. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/claude/i, 200_000],
  [/gpt-5/i, 272_000],
  [/gpt-4\.1/i, 1_000_000],
  [/gpt-4o|gpt-4-turbo/i, 128_000],
  [/(?:^|\/)o[134](?:-|$)/i, 200_000],
  [/gemini/i, 1_000_000],
  [/deepseek/i, 128_000],
]

const windowOf = (model: string): number | undefined =>
  WINDOWS.find(([family]) => family.test(model))?.[1]

/** The window of a model that has its own, or of another one that is asked for in its place. */
export const windowIn = (
  own: { readonly name: string; readonly contextWindow?: number | undefined },
  model = own.name,
): number | undefined =>
  model === own.name ? (own.contextWindow ?? windowOf(model)) : windowOf(model)

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

export const windowOf = (model: string): number | undefined =>
  WINDOWS.find(([family]) => family.test(model))?.[1]

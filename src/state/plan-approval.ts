/** What a person may say to a plan: how to go on, or what is wrong with it. Said in words, as to any other question. */

export const planActions = ['autopilot', 'interactive', 'exit_only'] as const
export type PlanAction = (typeof planActions)[number]

/** What a person is shown for each. */
const WORDS: Readonly<Record<PlanAction, string>> = {
  autopilot: 'Do it all without asking',
  interactive: 'Do it, and ask before anything is changed',
  exit_only: 'Leave plan mode, and do nothing yet',
}

export const planChoices = (recommended: PlanAction): readonly string[] => {
  const others = planActions.filter((action) => action !== recommended)
  return [recommended, ...others].map((action) => WORDS[action])
}

export const planWords = (action: PlanAction): string => WORDS[action]

/** Undefined when the words are none of these: then they say what the plan lacks. */
export const planActionOf = (said: string): PlanAction | undefined =>
  planActions.find((action) => action === said.trim() || WORDS[action] === said.trim())

export type PlanAnswer = {
  readonly approved?: unknown
  readonly selectedAction?: unknown
  readonly feedback?: unknown
}

/** In the words in which a person would say it. Undefined when it is no answer. */
export function planAnswer({ approved, selectedAction, feedback }: PlanAnswer): string | undefined {
  if (approved === true)
    return planWords(planActionOf(String(selectedAction ?? 'interactive')) ?? 'interactive')
  if (approved !== false) return undefined
  return typeof feedback === 'string' ? feedback : ''
}

/**
 * What every report is: Markdown for people and the same facts as JSON for programs, made from the store alone.
 * A caller that has a model connected gives it `promptFor`: the same evidence, with its citations.
 */
import { quoteText } from '../quote-text.ts'

export const reportKinds = ['standup', 'tips', 'improve', 'cost'] as const
export type ReportKind = (typeof reportKinds)[number]

export type Report = {
  readonly kind: ReportKind
  readonly markdown: string
  readonly json: Readonly<Record<string, unknown>>
}

/** What a report is about. Times in ISO form, as the store has them. */
export type Scope = {
  readonly since: string
  readonly until: string
  /** `owner/name`, or the name alone. */
  readonly repository?: string
  /** Of the person who reads it; UTC when it is left out. */
  readonly zone?: string
}

export function promptFor({ kind, markdown }: Report): string {
  return [wishes[kind], CITE, quoteText({ source: `chronicle ${kind}` }, markdown)].join('\n\n')
}

const CITE =
  'Use only the evidence below and what you asked for. Keep the session id, in backquotes, of whatever you say, so that it can be looked up; where the evidence does not tell, say so instead of guessing. Answer in Markdown.'

const wishes: Record<ReportKind, string> = {
  standup:
    'Write a standup update from this report: for each repository and branch what is done, what is in progress and what is blocked, in one short line each, and what comes next. Before that, ask for the state of each pull request that the report names, with the command beside it or another tool that you have; say of each whether it is open, merged or closed and who is waited for, and where you could not ask, that its state is not known.',
  tips: 'Write at most five tips that would save this person the most time, the most valuable first. For each: the habit, what it costs, and what to do instead, with the exact command.',
  improve:
    'Improve the proposed changes to the instruction file: merge what says the same, word each line as one clear rule, leave out what was only about one task. Give the result as a unified diff against the same file.',
  cost: 'Say in a few sentences where the tokens and the money went, what stands out, and what would lower it.',
}

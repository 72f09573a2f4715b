/** What became of a permission that was asked for, in words for people: on the page, in exports. */
import type { EntryOf } from './transcript.ts'

type Decided = Pick<EntryOf<'permission'>, 'decision' | 'decidedBy'>

/** As the transcript has it. */
const NOBODY = 'nobody was there to ask'

/** By what the log calls it: the word, and who it was where nothing else says so. */
const words: Readonly<Record<string, readonly [string, string?]>> = {
  approved: ['allowed'],
  'approved-for-session': ['allowed for the session'],
  'approved-for-location': ['allowed for this folder'],
  cancelled: ['cancelled'],
  'denied-by-rules': ['denied', 'a rule'],
  'denied-no-approval-rule-and-could-not-request-from-user': ['denied', NOBODY],
  'denied-interactively-by-user': ['denied', 'a person'],
  'denied-by-content-exclusion-policy': ['denied', 'a policy about contents'],
  'denied-by-permission-request-hook': ['denied', 'a hook'],
}

export function decisionWords({ decision, decidedBy }: Decided): string {
  if (decision === undefined) return 'not answered'
  // What other programs write may be none of these.
  const [word, usual] = words[decision] ?? [decision.replaceAll('-', ' ')]
  const by = decidedBy ?? usual
  if (by === undefined) return word
  if (by === 'withdrawn') return by
  return by === NOBODY ? `${word}: ${by}` : `${word} by ${by}`
}

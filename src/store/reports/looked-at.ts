/** What tips and improvements were found in, in words and for programs. */
import type { HabitsEvidence } from './habits-evidence.ts'
import type { Scope } from './report.ts'
import { counted } from '../../lib/quantities.ts'

export const lookedAt = ({ sessions, prompts, isCut }: HabitsEvidence): string =>
  `Looked at ${counted(sessions.length, 'session')} with ${counted(prompts.length, 'turn')}${isCut ? ', the newest of more' : ''}.`

export const factsOf = (
  { sessions, prompts }: HabitsEvidence,
  { since, until, repository }: Scope,
) => ({
  since,
  until,
  repository: repository ?? null,
  sessions: sessions.length,
  turns: prompts.length,
})

/** That the agent was asked to go on by no person, in words that every surface uses. */
import type { EntryOf } from './transcript.ts'

const words = {
  autopilot: 'autopilot went on',
  hook: 'a hook had it go on',
} as const

export const wentOnWords = (by: EntryOf<'continuation'>['by']): string => words[by]

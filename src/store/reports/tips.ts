/** What would make the next sessions cheaper, from what the last ones show. */
import { habitsOf, type Tip } from './habits.ts'
import type { HabitsEvidence } from './habits-evidence.ts'
import { factsOf, lookedAt } from './looked-at.ts'
import type { Report, Scope } from './report.ts'
import { sinceWords } from './local-day.ts'
import { citation, code, joined } from './words.ts'

export function tips(evidence: HabitsEvidence, scope: Scope): Report {
  const found = habitsOf(evidence)
  return {
    kind: 'tips',
    json: { ...factsOf(evidence, scope), tips: found },
    markdown: joined(
      `# Tips from the sessions since ${sinceWords(scope)}`,
      lookedAt(evidence),
      ...(found.length === 0 ? [nothing(evidence.sessions.length)] : found.map(show)),
    ),
  }
}

const show = ({ title, seen, instead, sessions }: Tip, at: number): string =>
  `## ${at + 1}. ${title}\n\n${seen}\n\n- Instead: ${instead}\n- Seen in: ${citation(sessions)}`

const nothing = (sessions: number): string =>
  sessions === 0
    ? `There is nothing to learn from yet. Look further back with ${code('--since 90d')}, or index old sessions with ${code('reprise chronicle reindex')}.`
    : 'No habit stands out.'

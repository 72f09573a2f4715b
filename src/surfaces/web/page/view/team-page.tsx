/** The team's own places: people, tokens, tasks, workers, limits, and the record of who did what. */
import { hashOf, type TeamPart } from '../model/route.ts'
import { useTeam } from './team.tsx'

import { LimitsPart, RecordPart } from './team-keeping.tsx'
import { PeoplePart } from './team-people.tsx'
import { TasksPart, WorkersPart } from './team-tasks.tsx'
import { TokensPart } from './team-tokens.tsx'

const parts = [
  ['people', 'People', PeoplePart],
  ['tokens', 'Tokens', TokensPart],
  ['tasks', 'Tasks', TasksPart],
  ['workers', 'Workers', WorkersPart],
  ['limits', 'Limits', LimitsPart],
  ['record', 'Record', RecordPart],
] as const
/** Of an administrator alone. */
const forAdmins: ReadonlySet<TeamPart> = new Set<TeamPart>(['record'])

type Props = { readonly part: TeamPart; readonly say: (text: string) => void }

export function TeamPage({ part, say }: Props) {
  const team = useTeam()
  if (team === undefined)
    return (
      <main class="page" id="content">
        <h1>Team</h1>
        <p class="faint">
          This page shows the sessions of one machine. Mission Control has a team.
        </p>
      </main>
    )
  const shown = parts.filter(([name]) => team.may('admin') || !forAdmins.has(name))
  const [, , Part] = shown.find(([name]) => name === part) ?? parts[0]
  return (
    <main class="page" id="content">
      <h1>Team</h1>
      <p class="faint">
        You are {team.name}, {team.role}.
      </p>
      <div class="filters">
        <nav class="segments" aria-label="Of the team">
          {shown.map(([name, label]) => (
            <a
              key={name}
              class={name === part ? 'is-on' : ''}
              aria-current={name === part ? 'page' : undefined}
              href={hashOf({ view: 'team', part: name })}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      <Part team={team} say={say} />
    </main>
  )
}

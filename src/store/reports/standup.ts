/** What was done, what is going on and what is stuck, by repository and branch, for the person who has to tell it. */
import type { Report, Scope } from './report.ts'
import type { StandupEvidence, WorkedSession } from './standup-evidence.ts'
import { standingOf, statuses, type Status } from './standup-status.ts'
import { code, joined, shortId, some, words } from './words.ts'
import { counted } from '../../lib/quantities.ts'
import { minuteIn, UTC } from '../../lib/time-zone.ts'
import { sinceWords } from './local-day.ts'

type Item = {
  readonly id: string
  readonly title: string
  readonly turns: number
  readonly updatedAt: string
  readonly because: string
  readonly files: readonly string[]
  readonly refs: readonly { readonly type: string; readonly value: string }[]
  /** Commands that tell how its pull requests stand: the store knows their numbers and no more. */
  readonly prCommands: readonly string[]
  readonly nextSteps: readonly string[]
}

type Group = { readonly repository: string; readonly branch: string | null } & Readonly<
  Record<Status, readonly Item[]>
>

const headings: Record<Status, string> = {
  done: 'Done',
  inProgress: 'In progress',
  blocked: 'Blocked',
}

export function standup(evidence: StandupEvidence, scope: Scope): Report {
  const groups = groupsOf(evidence.sessions, new Date(scope.until))
  const { since, until, repository } = scope
  const json = { since, until, repository: repository ?? null, known: evidence.known, groups }
  const title = `# Standup since ${sinceWords(scope)}`
  if (groups.length === 0) {
    return { kind: 'standup', json, markdown: joined(title, nothing(evidence, scope)) }
  }
  const sum = evidence.sessions.reduce((turns, session) => turns + session.turns, 0)
  const count = counted(evidence.sessions.length, 'session')
  return {
    kind: 'standup',
    json,
    markdown: joined(
      title,
      `${count} with ${counted(sum, 'turn')}${evidence.isCut ? '; older ones are left out' : ''}.`,
      ...groups.map((group) => showGroup(group, scope.zone)),
    ),
  }
}

function groupsOf(sessions: readonly WorkedSession[], now: Date): Group[] {
  const groups = new Map<string, { group: Group; lists: Record<Status, Item[]> }>()
  for (const session of sessions) {
    const repository = session.repository ?? session.cwd ?? 'no directory'
    const key = JSON.stringify([repository, session.branch])
    let found = groups.get(key)
    if (found === undefined) {
      const lists = { done: [], inProgress: [], blocked: [] }
      found = { group: { repository, branch: session.branch, ...lists }, lists }
      groups.set(key, found)
    }
    const { status, because } = standingOf(session, now)
    found.lists[status].push(itemOf(session, because))
  }
  return Array.from(groups.values(), ({ group }) => group)
}

function itemOf(session: WorkedSession, because: string): Item {
  const { id, title, turns, updatedAt, files, refs, checkpoint } = session
  return {
    id,
    title,
    turns,
    updatedAt,
    because,
    files,
    refs,
    prCommands: commandsFor(session),
    nextSteps: stepsIn(checkpoint?.nextSteps ?? ''),
  }
}

const MOST_PRS = 3

function commandsFor({ refs, repository }: WorkedSession): string[] {
  const commands = refs.flatMap(({ type, value }) => {
    const [, named = repository ?? '', number] =
      /^(?:([\w.-]+\/[\w.-]+)#)?(\d+)$/.exec(type === 'pr' ? value : '') ?? []
    // What a log calls a repository becomes part of a command only if it is a name and nothing else.
    if (number === undefined || !/^[\w.][\w.-]*\/[\w.-]+$/.test(named)) return []
    return [`gh pr view ${number} --repo ${named} --json state,mergedAt,reviewDecision`]
  })
  return [...new Set(commands)].slice(0, MOST_PRS)
}

const MOST_STEPS = 3

const stepsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MOST_STEPS)

function showGroup(group: Group, zone = UTC): string {
  const branch = group.branch === null ? '' : ` · ${words(group.branch)}`
  const parts = statuses
    .filter((status) => group[status].length > 0)
    .map(
      (status) =>
        `### ${headings[status]}\n\n${group[status].map((item) => showItem(item, zone)).join('\n')}`,
    )
  return [`## ${words(group.repository)}${branch}`, ...parts].join('\n\n')
}

function showItem(item: Item, zone: string): string {
  const { id, title, turns, updatedAt, because, files, refs, prCommands, nextSteps } = item
  const name = words(title, 80) || '(no name)'
  const head = `- **${name}** (${code(shortId(id))}, ${counted(turns, 'turn')}, ${minuteIn(zone, updatedAt)})`
  const lines = [`${head}${because === '' ? '' : `: ${because}`}`]
  if (refs.length > 0) lines.push(`  - Refs: ${some(refs.map(refText), 6)}`)
  for (const each of prCommands) lines.push(`  - To ask how it stands: ${code(each)}`)
  if (files.length > 0) {
    lines.push(
      `  - Files: ${some(
        files.map((path) => code(path)),
        5,
      )}`,
    )
  }
  for (const step of nextSteps) lines.push(`  - Next: ${words(step)}`)
  return lines.join('\n')
}

function refText({ type, value }: { readonly type: string; readonly value: string }): string {
  const number = /^\d+$/.test(value) ? `#${value}` : words(value)
  switch (type) {
    case 'pr':
      return `PR ${number}`
    case 'issue':
      return `issue ${number}`
    case 'commit':
      return `commit ${code(value.slice(0, 10))}`
    default:
      return `${words(type)} ${code(value)}`
  }
}

function nothing({ known }: StandupEvidence, { repository }: Scope): string {
  const about = repository === undefined ? '' : ` in ${words(repository)}`
  const hints = [
    `- Look further back: ${code('reprise chronicle standup --since 7d')}`,
    ...(repository === undefined
      ? []
      : [`- Look at all repositories: leave ${code('--repo')} out`]),
    `- Index sessions that the store does not know yet: ${code('reprise chronicle reindex')}`,
  ]
  return `No session was worked on${about} in this time. The store knows ${counted(known, 'session')}.\n\n${hints.join('\n')}`
}

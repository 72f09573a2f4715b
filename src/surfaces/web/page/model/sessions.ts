/** The list of sessions as rows: what goes on first, then a heading for each day, newest first. */
import { sessionTitle } from '../../../../state/session-title.ts'
import type { ActivityFrame, SessionRow } from '../../api.ts'

type ListRow =
  | { readonly kind: 'group'; readonly key: string; readonly name: string; readonly count: number }
  | { readonly kind: 'session'; readonly key: string; readonly session: SessionRow }

export function rowsOf(sessions: readonly SessionRow[], now: number): ListRow[] {
  const groups = new Map<string, SessionRow[]>()
  const add = (name: string, session: SessionRow) =>
    groups.set(name, [...(groups.get(name) ?? []), session])
  for (const session of sessions) if (session.status === 'waiting') add('Waits for you', session)
  for (const session of sessions) if (session.status === 'running') add('Works', session)
  for (const session of sessions)
    if (session.status === 'idle') add(dayOf(session.modifiedAt, now), session)
  return [...groups].flatMap(([name, inside]) => [
    { kind: 'group', key: `group ${name}`, name, count: inside.length } as const,
    ...inside.map((session) => ({ kind: 'session', key: session.id, session }) as const),
  ])
}

const DAY_MS = 86_400_000

/** In words for what is near, by the month for what is not; by the clock of the reader. */
export function dayOf(at: string, now: number): string {
  const then = new Date(at)
  if (Number.isNaN(then.getTime())) return 'Earlier'
  const days = Math.round((midnight(now) - midnight(then.getTime())) / DAY_MS)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return then.toLocaleDateString('en', { weekday: 'long' })
  if (days < 31) return 'This month'
  return then.toLocaleDateString('en', { month: 'long', year: 'numeric' })
}

const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)

/** The nearest session above or below, over headings; the first when none is chosen. */
export function step(
  rows: readonly ListRow[],
  chosen: string | undefined,
  by: 1 | -1,
): string | undefined {
  const ids = rows.flatMap((row) => (row.kind === 'session' ? [row.key] : []))
  const at = chosen === undefined ? -1 : ids.indexOf(chosen)
  if (at === -1) return ids[0]
  return ids[Math.min(ids.length - 1, Math.max(0, at + by))]
}

type Changed = Extract<ActivityFrame, { event: 'changed' }>['data']

/** What a change means without asking; whether the list must be asked for again. */
export function afterChange(
  sessions: readonly SessionRow[],
  { id, kind, status }: Changed,
): { readonly sessions: readonly SessionRow[]; readonly isStale: boolean } {
  if (kind === 'deleted') {
    return { sessions: sessions.filter((session) => session.id !== id), isStale: false }
  }
  const changed = sessions.map((session) => (session.id === id ? { ...session, status } : session))
  return { sessions: changed, isStale: kind !== 'status' }
}

export const titleOf = (session: Pick<SessionRow, 'name' | 'summary' | 'id'>) =>
  sessionTitle(session, session.id.slice(0, 8))

/** Which sessions the list shows; those of a repository come behind these. */
export const filters = [
  ['', 'All'],
  ['waiting', 'Waiting'],
  ['running', 'Working'],
  ['today', 'Today'],
  ['week', 'This week'],
] as const

/** As the server is asked for it. Days are those of this browser. */
export function filterOf(
  filter: string,
  now = new Date(),
): {
  readonly status?: string
  readonly since?: string
  readonly repository?: string
  readonly cwd?: string
} {
  if (filter.startsWith('cwd:')) return { cwd: filter.slice('cwd:'.length) }
  if (filter.startsWith('repository:')) return { repository: filter.slice('repository:'.length) }
  if (filter === 'waiting' || filter === 'running') return { status: filter }
  if (filter !== 'today' && filter !== 'week') return {}
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  // Monday is the first.
  if (filter === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7))
  return { since: day.toISOString() }
}

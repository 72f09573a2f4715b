/** The list of sessions as rows: a heading for each group that has any, nearest group first. */
import { buckets } from '../../../../state/relevance.ts'
import { sessionTitle } from '../../../../state/session-title.ts'
import type { ActivityFrame, SessionRow } from '../../api.ts'

type ListRow =
  | { readonly kind: 'group'; readonly key: string; readonly name: string; readonly count: number }
  | { readonly kind: 'session'; readonly key: string; readonly session: SessionRow }

export function rowsOf(sessions: readonly SessionRow[]): ListRow[] {
  return buckets.flatMap((name) => {
    const inside = sessions.filter(({ bucket }) => bucket === name)
    if (inside.length === 0) return []
    return [
      { kind: 'group', key: `group ${name}`, name, count: inside.length } as const,
      ...inside.map((session) => ({ kind: 'session', key: session.id, session }) as const),
    ]
  })
}

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

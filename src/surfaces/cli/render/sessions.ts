/** How sessions are named and tabled wherever several are shown. */
import type { SessionSummary } from '../../../engine/home/catalogue-row.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import { bold, dim } from './span.ts'
import type { Span } from './span.ts'
import { counted, relativeTime, sizeText } from '../../../lib/quantities.ts'

const SHORTEST = 8

/** The beginning of each id that no other id shares: what people type. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const counts = new Map<string, number>()
  for (const id of ids) {
    const start = id.slice(0, SHORTEST)
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  return (id) => (counts.get(id.slice(0, SHORTEST)) === 1 ? id.slice(0, SHORTEST) : id)
}

export function sessionRow(
  session: SessionSummary,
  { short, now }: { readonly short: (id: string) => string; readonly now: Date },
): Span[] {
  const { turns, branch } = session
  return [
    bold(short(session.id)),
    sessionTitle(session),
    dim(branch ?? ''),
    turns === undefined ? dim('–') : counted(turns, 'turn'),
    sizeText(session.bytes),
    dim(relativeTime(session.modifiedAt, now)),
  ]
}

export const sessionColumns = { shrink: 1, right: [3, 4] } as const

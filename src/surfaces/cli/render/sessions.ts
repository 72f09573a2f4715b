/** How sessions are named and tabled wherever several are shown. */
import type { SessionSummary } from '../../../engine/home/catalogue-row.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import { bold, dim } from './span.ts'
import type { Span } from './span.ts'
import { counted, relativeTime, sizeText } from '../../../lib/quantities.ts'

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

/** How sessions are named and tabled wherever several are shown. */
import type { SessionSummary } from '../../../engine/catalogue/catalogue-row.ts'
import type { UnusableSession } from '../../../engine/catalogue/catalogue.ts'
import { attentionMarks, type Attention } from '../../../state/attention.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import type { FarNews, FarPlace } from '../../../engine/remote-control.ts'
import type { Cli } from '../command.ts'
import { bold, cyan, dim, yellow, type Span } from './span.ts'
import { counted, relativeTime, sizeText } from '../../../lib/quantities.ts'

export function sessionRow(
  session: SessionSummary & { readonly remote?: FarPlace; readonly attention?: Attention },
  { short, now }: { readonly short: (id: string) => string; readonly now: Date },
): Span[] {
  const { turns, branch, remote, importedFrom, attention } = session
  if (remote !== undefined)
    return [
      bold(short(session.id)),
      sessionTitle(session),
      dim(branch ?? ''),
      cyan(remote.machine),
      dim(remote.isStale ? 'not heard of' : remote.state),
      dim(relativeTime(session.modifiedAt, now)),
    ]
  return [
    bold(short(session.id)),
    `${attention === undefined ? '' : `${attentionMarks[attention].sign} `}${sessionTitle(session)}`,
    dim([importedFrom, branch].filter((part) => part !== undefined).join(' · ')),
    turns === undefined ? dim('–') : counted(turns, 'turn'),
    sizeText(session.bytes),
    dim(relativeTime(session.modifiedAt, now)),
  ]
}

/** What is shown of other machines may be old. */
export function tellOffline(
  { out, now }: Pick<Cli, 'out' | 'now'>,
  far: FarNews | undefined,
): void {
  if (far?.trouble === undefined) return
  const isKnown = far.asOf.getTime() > 0
  out.note(
    yellow('Mission Control could not be asked. '),
    dim(
      isKnown
        ? `What is shown of other machines was so ${relativeTime(far.asOf.toISOString(), now())}. (${far.trouble})`
        : `(${far.trouble})`,
    ),
  )
}

/** Sessions that no list shows, each with its reason. */
export function tellUnusable({ out }: Pick<Cli, 'out'>, all: readonly UnusableSession[]): void {
  for (const { id, reason } of all) out.line(yellow('! '), `${id} is not listed: ${reason}.`)
  if (all.length > 0) out.line(dim('reprise doctor says what can be done.'))
}

export const sessionColumns = { shrink: 1, right: [3, 4] } as const

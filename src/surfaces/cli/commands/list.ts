/** `sessions list`: what wants a person first, then by how near it is to this directory, newest first. */
import {
  listSessions,
  type ListedSession,
  type NearSessions as Listed,
} from '../../../commands/list-sessions.ts'
import { defined } from '../../../lib/defined.ts'
import { attentionGroups } from '../../../state/attention.ts'
import { usage, type Cli, type Run } from '../command.ts'
import { sessionColumns, sessionRow, tellOffline, tellUnusable } from '../render/sessions.ts'
import { shortIds } from '../../../state/session-title.ts'
import { counted } from '../../../lib/quantities.ts'
import { bold, dim } from '../render/span.ts'
import { table } from '../render/table.ts'

export const run: Run = async (cli, given) => {
  if (given.flag('all') && given.text('limit') !== undefined) {
    throw usage('--all and --limit say different things. Give one of them.')
  }
  const limit = given.flag('all') ? Infinity : given.whole('limit', 0)
  const context = { engine: await cli.engine(), cwd: cli.cwd }
  const listed = await listSessions(context, {
    here: given.flag('here'),
    ...defined({ limit, remote: given.flag('remote') ? ('too' as const) : undefined }),
  })
  const { sessions, total, legacy, empty, unusable, far } = listed
  if (cli.json) return cli.out.json(toldJson(listed, given.flag('remote')))
  tellOffline(cli, far)
  showGroups(cli, sessions)
  if (total > sessions.length)
    cli.out.line(dim(`… ${total - sessions.length} more (--all shows them)`))
  if (total === 0) cli.out.line('No sessions yet. ', dim('reprise -p "…" starts one.'))
  const aside = [
    ...(legacy.length > 0 ? [`${counted(legacy.length, 'flat file')} of an older format`] : []),
    ...(empty.length > 0
      ? [counted(empty.length, 'folder without a log', 'folders without a log')]
      : []),
  ]
  if (aside.length > 0) cli.out.line(dim(`Not listed: ${aside.join(', ')}.`))
  tellUnusable(cli, unusable)
}

/** Where both are listed, each says which it is. */
const toldJson = ({ sessions, ...rest }: Listed, isMixed: boolean) => ({
  sessions: isMixed
    ? sessions.map((session) => ({ ...session, isRemote: session.remote !== undefined }))
    : sessions,
  ...rest,
})

function showGroups(cli: Cli, sessions: readonly ListedSession[]): void {
  const short = shortIds(sessions.map(({ id }) => id))
  const rows = sessions.map((session) => sessionRow(session, { short, now: cli.now() }))
  const shape = { columns: cli.out.columns, indent: 2, ...sessionColumns }
  const lines = table(rows, shape)
  let last: string | undefined
  sessions.forEach(({ bucket, attention }, at) => {
    const group = attention === undefined ? bucket : attentionGroups[attention]
    if (group !== last) cli.out.line(bold(group))
    last = group
    cli.out.line(...(lines[at] ?? []))
  })
}

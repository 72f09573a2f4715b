/** `sessions list`: grouped by how near they are to this directory, newest first. */
import type { SessionSummary } from '../../../engine/home/catalogue-row.ts'
import { buckets, relevance } from '../../../state/relevance.ts'
import type { Bucket } from '../../../state/relevance.ts'
import type { Cli, Run } from '../command.ts'
import { usage } from '../command.ts'
import { sessionColumns, sessionRow, shortIds } from '../render/sessions.ts'
import { counted, relativeTime } from '../../../lib/quantities.ts'
import { bold, dim } from '../render/span.ts'
import { table } from '../render/table.ts'

type Listed = SessionSummary & { readonly bucket: Bucket }

const DEFAULT_LIMIT = 20

export const run: Run = async (cli, given) => {
  if (given.flag('trash')) return listTrash(cli)
  if (given.flag('all') && given.text('limit') !== undefined) {
    throw usage('--all and --limit say different things. Give one of them.')
  }
  const limit = given.flag('all') ? Infinity : (given.whole('limit', 0) ?? DEFAULT_LIMIT)
  const engine = await cli.engine()
  const [all, here, legacy, empty] = await Promise.all([
    engine.list(),
    engine.project(cli.cwd),
    engine.legacy(),
    engine.empty(),
  ])
  const near = all
    .map((session): Listed => ({ ...session, bucket: relevance(session, here).bucket }))
    .filter(({ bucket }) => !given.flag('here') || bucket !== 'Other sessions')
  // Newest first within a bucket, because the list was: the sort is stable.
  const sessions = near
    .sort((a, b) => buckets.indexOf(a.bucket) - buckets.indexOf(b.bucket))
    .slice(0, limit)
  if (cli.json) {
    cli.out.json({ sessions, total: near.length, legacy, empty })
    return
  }
  showGroups(cli, sessions, shortIds(all.map(({ id }) => id)))
  const more = near.length - sessions.length
  if (more > 0) cli.out.line(dim(`… ${more} more (--all shows them)`))
  if (near.length === 0) cli.out.line('No sessions yet. ', dim('reprise -p "…" starts one.'))
  const aside = [
    ...(legacy.length > 0 ? [`${counted(legacy.length, 'flat file')} of an older format`] : []),
    ...(empty.length > 0
      ? [counted(empty.length, 'folder without a log', 'folders without a log')]
      : []),
  ]
  if (aside.length > 0) cli.out.line(dim(`Not listed: ${aside.join(', ')}.`))
}

function showGroups(cli: Cli, sessions: readonly Listed[], short: (id: string) => string): void {
  const rows = sessions.map((session) => sessionRow(session, { short, now: cli.now() }))
  const shape = { columns: cli.out.columns, indent: 2, ...sessionColumns }
  const lines = table(rows, shape)
  let last: Bucket | undefined
  sessions.forEach(({ bucket }, at) => {
    if (bucket !== last) cli.out.line(bold(bucket))
    last = bucket
    cli.out.line(...(lines[at] ?? []))
  })
}

async function listTrash(cli: Cli): Promise<void> {
  const engine = await cli.engine()
  const deleted = (await engine.trash()).map(({ id, deletedAt }) => ({
    id,
    deletedAt: deletedAt.toISOString(),
  }))
  if (cli.json) {
    cli.out.json({ deleted })
    return
  }
  for (const { id, deletedAt } of deleted) {
    cli.out.line('  ', bold(id), '  ', dim(`deleted ${relativeTime(deletedAt, cli.now())}`))
  }
  if (deleted.length === 0) cli.out.line('The trash is empty.')
  else cli.out.line(dim('reprise sessions restore <id> brings one back.'))
}

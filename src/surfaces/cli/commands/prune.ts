/** `sessions prune`: shows first what would go, then asks. */
import type { Pruned } from '../../../engine/home/prune.ts'
import { confirm } from '../ask.ts'
import type { Cli, Run } from '../command.ts'
import { usage } from '../command.ts'
import { counted, sizeText } from '../../../lib/quantities.ts'
import { sessionColumns, sessionRow, shortIds } from '../render/sessions.ts'
import { dim } from '../render/span.ts'
import { table } from '../render/table.ts'

export const run: Run = async (cli, given) => {
  const olderThanDays = given.whole('days', 0)
  if (olderThanDays === undefined)
    throw usage('How old? Say it with --days <n>. Nothing was deleted.')
  const engine = await cli.engine()
  const options = { olderThanDays, keepNamed: !given.flag('includeNamed') }
  const planned = await engine.prune({ ...options, dryRun: true })
  if (given.flag('dryRun')) return show(cli, planned)
  if (!cli.json) show(cli, planned)
  if (planned.sessions.length > 0) {
    const question = `Move ${counted(planned.sessions.length, 'session')} to the trash?`
    await confirm(cli, question, given.flag('yes'))
  }
  const done = await engine.prune({ ...options, dryRun: false })
  if (cli.json) show(cli, done)
  else {
    cli.out.line(
      `Moved ${counted(done.sessions.length, 'session')} to the trash, ${sizeText(done.bytes)}.`,
    )
    const { sessions, bytes } = done.trashEmptied
    if (sessions > 0) {
      cli.out.line(
        dim(`Removed ${counted(sessions, 'session')} from the trash for good, ${sizeText(bytes)}.`),
      )
    }
  }
}

function show(cli: Cli, pruned: Pruned): void {
  if (cli.json) {
    cli.out.json(pruned)
    return
  }
  const short = shortIds(pruned.sessions.map(({ id }) => id))
  const rows = pruned.sessions.map((session) => sessionRow(session, { short, now: cli.now() }))
  const shape = { columns: cli.out.columns, indent: 2, ...sessionColumns }
  for (const spans of table(rows, shape)) cli.out.line(...spans)
  const kept =
    pruned.kept.length === 0
      ? ''
      : `, ${counted(pruned.kept.length, 'old one')} kept (named or in use)`
  cli.out.line(
    `${counted(pruned.sessions.length, 'session')} to prune, ${sizeText(pruned.bytes)}${kept}.`,
  )
}

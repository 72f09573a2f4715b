/** `board prune`: by age, number and size; without a limit nothing is removed. */
import { defined } from '../../../lib/defined.ts'
import { pruned } from '../../../store/board-rules.ts'
import { scopeOf, withBoard } from '../board.ts'
import { usage } from '../command.ts'
import type { Run } from '../command.ts'
import { counted } from '../../../lib/quantities.ts'

export const run: Run = async (cli, given) => {
  const [days, keep, kilobytes] = [
    given.whole('days', 1),
    given.whole('keep', 0),
    given.whole('size', 1),
  ]
  if (days === undefined && keep === undefined && kilobytes === undefined) {
    throw usage('board prune wants a limit: --days, --keep or --size.')
  }
  const limits = {
    ...(await scopeOf(cli, given)),
    ...defined({ olderThanDays: days, keep }),
    ...(kilobytes !== undefined && { maxBytes: kilobytes * 1000 }),
  }
  const isDry = given.flag('dryRun')
  const removed = await withBoard(cli, async (board) =>
    isDry ? pruned(await board.list(), limits, cli.now()).removed : board.prune(limits),
  )
  if (cli.json) {
    cli.out.json({ removed, dryRun: isDry })
    return
  }
  for (const { name, repository } of removed) cli.out.line(`  ${name}  ${repository}`)
  const verb = isDry ? 'would be removed' : 'removed'
  cli.out.line(`${counted(removed.length, 'entry', 'entries')} ${verb}.`)
}

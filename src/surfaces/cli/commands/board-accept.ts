/** `board accept`. */
import { chooseProposals, showEntry, withBoard } from '../board.ts'
import type { Run } from '../command.ts'
import { counted } from '../../../lib/quantities.ts'

export const run: Run = async (cli, given) => {
  const accepted = await withBoard(cli, async (board) => {
    const chosen = await chooseProposals(cli, given, board)
    return board.accept(chosen.map(({ id }) => id))
  })
  if (cli.json) {
    cli.out.json({ accepted })
    return
  }
  for (const entry of accepted) showEntry(cli, entry)
  cli.out.line(`${counted(accepted.length, 'entry', 'entries')} added.`)
}

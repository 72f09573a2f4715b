/** `board dismiss`. */
import { chooseProposals, showProposal, withBoard } from '../board.ts'
import type { Run } from '../command.ts'
import { counted } from '../../../lib/quantities.ts'

export const run: Run = async (cli, given) => {
  const dismissed = await withBoard(cli, async (board) => {
    const chosen = await chooseProposals(cli, given, board)
    await board.dismiss(chosen.map(({ id }) => id))
    return chosen
  })
  if (cli.json) {
    cli.out.json({ dismissed })
    return
  }
  for (const proposal of dismissed) showProposal(cli, proposal, proposal.id)
  cli.out.line(`${counted(dismissed.length, 'proposal')} dismissed.`)
}

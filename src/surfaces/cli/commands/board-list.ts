/** `board list`. */
import { scopeOf, showEntry, withBoard } from '../board.ts'
import type { Run } from '../command.ts'
import { dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const scope = await scopeOf(cli, given)
  const entries = await withBoard(cli, (board) => board.list(scope))
  if (cli.json) {
    cli.out.json({ entries })
    return
  }
  for (const entry of entries) showEntry(cli, entry)
  if (entries.length === 0) {
    const about = scope.repository === undefined ? '' : ` for ${scope.repository}`
    cli.out.line(
      `There is nothing on the board${about}. `,
      dim('reprise board add keeps something.'),
    )
  }
}

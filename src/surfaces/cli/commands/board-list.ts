/** `board list`: what is on the board, and what waits for somebody to decide. */
import type { Board } from '../../../store/board.ts'
import { BoardBusy } from '../../../store/board.ts'
import { StoreUnavailable } from '../../../store/connection.ts'
import { scopeOf, showEntry, showProposal, withBoard } from '../board.ts'
import type { Cli, Given, Run } from '../command.ts'
import { freshStore } from '../fresh-store.ts'
import { counted } from '../../../lib/quantities.ts'
import { dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const scope = await scopeOf(cli, given)
  const { entries, proposals } = await withBoard(cli, async (board) => {
    await proposeMissed(cli, given, board)
    return { entries: await board.list(scope), proposals: await board.proposals(scope) }
  })
  if (cli.json) {
    cli.out.json({ entries, proposals })
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
  if (proposals.length === 0) return
  cli.out.line()
  cli.out.line(`${counted(proposals.length, 'proposal')}, from what sessions learned:`)
  for (const proposal of proposals) showProposal(cli, proposal, proposal.id)
  cli.out.line(dim('reprise board accept <id> keeps one, reprise board dismiss <id> drops it.'))
}

const LOOK_BACK_MS = 7 * 24 * 3600 * 1000
const MOST_SESSIONS = 20

/** A session whose process was killed has proposed nothing yet. */
async function proposeMissed(cli: Cli, given: Given, board: Board): Promise<void> {
  try {
    const { store } = await freshStore(cli, given)
    const since = new Date(cli.now().getTime() - LOOK_BACK_MS)
    for (const id of await store.changedSince(since, MOST_SESSIONS)) {
      await board.propose(id, (await store.learned(id)) ?? [])
    }
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable) && !(cause instanceof BoardBusy)) throw cause
  }
}

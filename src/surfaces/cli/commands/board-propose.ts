/** `board propose`: what a session learned that the next ones should know. Only with --add does it go on the board. */
import { EngineError } from '../../../engine/errors.ts'
import type { NewEntry } from '../../../store/board-rules.ts'
import { StoreUnavailable } from '../../../store/connection.ts'
import { showProposal, withBoard } from '../board.ts'
import type { Cli, Given, Run } from '../command.ts'
import { freshStore } from '../fresh-store.ts'
import { findSession } from '../find-session.ts'
import { counted } from '../../../lib/quantities.ts'
import { dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const proposed = await proposalsOf(cli, given, id)
  const add = given.flag('add')
  if (add) {
    await withBoard(cli, async (board) => {
      for (const entry of proposed) await board.add(entry)
    })
  }
  if (cli.json) {
    cli.out.json({ proposed, added: add })
    return
  }
  for (const entry of proposed) showProposal(cli, entry)
  if (proposed.length === 0) cli.out.line('Nothing in this session asks to be kept.')
  else if (add) cli.out.line(`${counted(proposed.length, 'entry', 'entries')} added.`)
  else cli.out.line(dim(`reprise board propose ${id.slice(0, 8)} --add puts them on the board.`))
}

async function proposalsOf(cli: Cli, given: Given, id: string): Promise<readonly NewEntry[]> {
  try {
    const { store } = await freshStore(cli, given)
    const learned = await store.learned(id)
    if (learned !== undefined) return learned
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    throw new EngineError('busy', cause.message, { cause })
  }
  throw new EngineError(
    'not_found',
    `The session store does not know ${id}. "reprise reindex" reads it in.`,
  )
}

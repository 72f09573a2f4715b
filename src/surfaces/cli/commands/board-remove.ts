/** `board remove`: by the whole name, else by a part of it that only one entry has. */
import { EngineError } from '../../../engine/errors.ts'
import { scopeOf, showEntry, withBoard } from '../board.ts'
import type { Run } from '../command.ts'
import { counted } from '../../../lib/quantities.ts'

export const run: Run = async (cli, given) => {
  const name = given.word(0) ?? ''
  const scope = await scopeOf(cli, given)
  const removed = await withBoard(cli, async (board) => {
    const entries = await board.list(scope)
    const exact = entries.filter((entry) => entry.name === name)
    const near = entries.filter((entry) => entry.name.toLowerCase().includes(name.toLowerCase()))
    const [only, ...others] = exact.length > 0 ? exact : near
    if (only === undefined) {
      throw new EngineError('not_found', `No entry of the board is named "${name}".`)
    }
    if (exact.length === 0 && others.length > 0) {
      const names = near.map((entry) => `"${entry.name}"`).join(', ')
      throw new EngineError('ambiguous', `Several entries fit "${name}": ${names}.`)
    }
    return board.remove(only.name, scope)
  })
  if (cli.json) {
    cli.out.json({ removed })
    return
  }
  for (const entry of removed) showEntry(cli, entry)
  cli.out.line(`${counted(removed.length, 'entry', 'entries')} removed.`)
}

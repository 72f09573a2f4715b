/** `sessions undo`. */
import type { Run } from '../command.ts'
import { wholeNumber } from '../command.ts'
import { findSession } from '../find-session.ts'
import { dim } from '../render/span.ts'
import { waiting } from '../wait.ts'
import { losses } from './rewind.ts'

export const run: Run = async (cli, given) => {
  const turns = wholeNumber('The number of turns', given.word(1), 1) ?? 1
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const result = await engine.undo(id, { turns, ...waiting(cli, given) })
  if (cli.json) cli.out.json(result)
  else cli.out.line(`Removed ${losses(result)}. `, dim('redo brings it back.'))
}

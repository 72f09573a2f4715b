/** `sessions undo`. */
import type { Run } from '../command.ts'
import { wholeNumber } from '../command.ts'
import { findSession } from '../find-session.ts'
import { keptFiles, losses, showFiles } from '../render/rewound.ts'
import { dim } from '../render/span.ts'
import { waiting } from '../wait.ts'

export const run: Run = async (cli, given) => {
  const turns = wholeNumber('The number of turns', given.word(1), 1) ?? 1
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const session = await engine.open(id)
  const result = await session.undo({ turns, ...keptFiles(given), ...waiting(cli, given) })
  if (cli.json) return cli.out.json(result)
  cli.out.line(`Removed ${losses(result)}. `, dim('redo brings it back.'))
  showFiles(cli, result)
}

/** `sessions redo`. */
import type { Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { showFiles } from '../render/rewound.ts'
import { counted } from '../../../lib/quantities.ts'
import { waiting } from '../wait.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const result = await (await engine.open(id)).redo(waiting(cli, given))
  if (cli.json) return cli.out.json(result)
  cli.out.line(`Brought ${counted(result.eventsRestored, 'event')} back.`)
  showFiles(cli, result)
}

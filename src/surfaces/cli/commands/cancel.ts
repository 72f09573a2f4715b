/** `sessions cancel`. */
import type { Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { bold } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const cancelled = await (await engine.open(id)).cancel()
  if (cli.json) return cli.out.json({ id, cancelled })
  const said = cancelled ? 'Stopped the turn in ' : 'Nothing was running in '
  cli.out.line(said, bold(id.slice(0, 8)), '.')
}

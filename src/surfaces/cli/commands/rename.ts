/** `sessions rename`. */
import type { Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { bold } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const name = await (await engine.open(id)).rename(given.word(1) ?? '')
  if (cli.json) cli.out.json({ id, name })
  else cli.out.line('Session ', bold(id.slice(0, 8)), ' is now called ', bold(name), '.')
}

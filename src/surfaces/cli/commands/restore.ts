/** `sessions restore`. */
import type { Run } from '../command.ts'
import { bold } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await engine.restore(given.word(0) ?? '')
  if (cli.json) cli.out.json({ id })
  else cli.out.line('Session ', bold(id), ' is back.')
}

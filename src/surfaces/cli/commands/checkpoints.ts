/** `sessions checkpoints`. */
import type { Run } from '../command.ts'
import { wholeNumber } from '../command.ts'
import { findSession } from '../find-session.ts'
import { bold, dim } from '../render/span.ts'
import { table } from '../render/table.ts'

export const run: Run = async (cli, given) => {
  const number = wholeNumber('The number of the checkpoint', given.word(1), 1)
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  if (number !== undefined) {
    const text = await (await engine.open(id)).readCheckpoint(number)
    if (cli.json) cli.out.json({ number, text })
    else cli.out.block(text)
    return
  }
  const checkpoints = await (await engine.open(id)).checkpoints()
  if (cli.json) {
    cli.out.json({ checkpoints })
    return
  }
  const rows = checkpoints.map((one) => [bold(String(one.number)), one.title, dim(one.file)])
  for (const spans of table(rows, { columns: cli.out.columns, shrink: 1 })) cli.out.line(...spans)
  if (checkpoints.length === 0) cli.out.line('No checkpoints: the session was never compacted.')
}

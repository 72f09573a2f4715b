/** `sessions compact`. */
import type { Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { dim } from '../render/span.ts'
import { waiting } from '../wait.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const instructions = given.words(1).join(' ')
  const done = await (
    await engine.open(id)
  ).compact({
    ...waiting(cli, given),
    ...(instructions !== '' && { instructions }),
  })
  if (cli.json) {
    cli.out.json(done)
    return
  }
  cli.out.line(
    `Checkpoint ${done.checkpointNumber}: ${done.messagesRemoved} messages summed up, `,
    `about ${done.tokensBefore} tokens became ${done.tokensAfter}.`,
  )
  cli.out.line(dim(done.checkpointPath))
}

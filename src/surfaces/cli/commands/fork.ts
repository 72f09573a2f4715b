/** `sessions fork`. */
import { defined } from '../../../lib/defined.ts'
import type { Run } from '../command.ts'
import { findEvent } from '../find-event.ts'
import { findSession } from '../find-session.ts'
import { bold, dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const before = await findEvent(engine, id, {
    word: given.text('before'),
    turn: given.whole('turn', 1),
  })
  const name = given.text('name')
  const forked = await (
    await engine.open(id)
  ).fork({
    ...defined({ before, name }),
  })
  if (cli.json) {
    cli.out.json(forked)
    return
  }
  cli.out.line(
    'Forked to ',
    bold(forked.sessionId),
    ` "${forked.name}" `,
    dim(`(${forked.events} events)`),
  )
  if (!forked.sourceNoted) {
    cli.out.note(dim('The source is busy elsewhere and was not told of its fork.'))
  }
}

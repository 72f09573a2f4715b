/** `sessions discard`: what undo took back goes for good, after a question. */
import { counted } from '../../../lib/quantities.ts'
import { confirm } from '../ask.ts'
import type { Run } from '../command.ts'
import { findSession } from '../find-session.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const olderThanDays = given.whole('days', 0) ?? 0
  await confirm(
    cli,
    'Remove what undo took back for good? No redo brings it back.',
    given.flag('yes'),
  )
  const done = await engine.discard(id, { olderThanDays })
  if (cli.json) cli.out.json({ sessionId: id, ...done })
  else
    cli.out.line(
      `Removed ${counted(done.parts, 'part')} for good, ${counted(done.events, 'event')}.`,
    )
}

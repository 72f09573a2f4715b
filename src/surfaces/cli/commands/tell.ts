/** `sessions tell`. */
import { readAll } from '../ask.ts'
import { usage } from '../command.ts'
import type { Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { bold } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const words = given.words(1).join(' ')
  const prompt = words === '-' ? await readAll(cli.host.stdin, cli.signal) : words
  if (prompt.trim() === '') throw usage('There is nothing to say. Nothing was sent.')
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const whenBusy = given.flag('queue') ? 'enqueue' : 'steer'
  const session = await engine.open(id)
  const { at = 'left' } = await session.pending()
  if (at === 'left')
    throw usage(
      `Nothing is running in session ${id}. Nothing was sent. "reprise --resume ${id} -p" starts a turn.`,
      { sessionId: id },
    )
  const { how, messageId } = await session.send({ prompt }, { whenBusy })
  if (cli.json) return cli.out.json({ id, status: how, messageId })
  cli.out.line(SAID[how], bold(id.slice(0, 8)), '.')
}

const SAID = {
  started: 'It begins a turn in ',
  steered: 'It joins the turn that runs in ',
  queued: 'It is sent when the turn has ended in ',
} as const

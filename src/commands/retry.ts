/** `/retry`: the last message is sent again, as after a question that was lost with the process that asked it. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { command } from './command.ts'
import { messageAt } from './message-at.ts'

export const retry = command({
  name: 'retry',
  summary: 'send the last message again',
  changes: 'turn',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const session = await context.session()
    const last = (await session.state()).turns.at(-1)
    const said = last && (await messageAt(session, last.eventId))
    if (said === undefined)
      throw new EngineError('invalid', 'Nothing was said here yet. Nothing was sent.')
    const { messageId } = await session.send(said)
    return { messageId }
  },
  say: () => 'The message was sent again.',
})

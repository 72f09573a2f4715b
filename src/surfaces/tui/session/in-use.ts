/** Somebody else is at work in this session: the message joins their turn, waits for them, is kept for later, or goes into a fork. */
import type { EngineError } from '../../../engine/errors.ts'
import type { Desk } from '../commands/command.ts'

const LONGEST_WAIT_MS = 10 * 60_000

export async function whenInUse(desk: Desk, text: string, error: EngineError): Promise<void> {
  const id = desk.session()
  if (id === undefined) return desk.say(error.message, 'bad')
  const deed = await desk.choose(error.message, [
    { label: 'wait', detail: 'send it when the other one is done', value: 'wait' },
    { label: 'watch', detail: 'keep the message here and look on', value: 'watch' },
    { label: 'fork', detail: 'send it in a copy of this session', value: 'fork' },
    { label: 'join', detail: 'say it in the turn that runs there', value: 'join' },
  ])
  if (deed === 'join') desk.send(text, { whenBusy: 'steer' })
  else if (deed === 'wait') {
    desk.say('Waiting for the other terminal…', 'faint')
    desk.send(text, { waitMs: LONGEST_WAIT_MS })
  } else if (deed === 'fork') {
    const forked = await (await desk.engine.open(id)).fork()
    await desk.open(forked.sessionId)
    desk.send(text)
  } else desk.write(text)
}

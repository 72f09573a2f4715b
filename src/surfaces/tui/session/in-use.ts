/** Another process is at work in this session: the message joins its turn, waits for it, is kept, or goes into a fork. */
import type { EngineError } from '../../../engine/errors.ts'
import type { CommandHost } from '../commands/command.ts'

const LONGEST_WAIT_MS = 10 * 60_000

export async function whenInUse(
  host: CommandHost,
  text: string,
  error: EngineError,
): Promise<void> {
  const id = host.session()
  if (id === undefined) return host.say(error.message, 'bad')
  const chosen = await host.choose(error.message, [
    { label: 'wait', detail: 'send it when the other one is done', value: 'wait' },
    { label: 'watch', detail: 'keep the message here and look on', value: 'watch' },
    { label: 'fork', detail: 'send it in a copy of this session', value: 'fork' },
    { label: 'join', detail: 'say it in the turn that runs there', value: 'join' },
  ])
  if (chosen === 'join') return host.send(text, { whenBusy: 'steer' })
  if (chosen === 'wait') {
    host.say('Waiting for the other terminal…', 'faint')
    return host.send(text, { waitMs: LONGEST_WAIT_MS })
  }
  if (chosen !== 'fork') return host.write(text)
  const forked = await (await host.engine.open(id)).fork()
  await host.open(forked.sessionId)
  await host.send(text)
}

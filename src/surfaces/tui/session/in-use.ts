/** Another program has this session, and cannot be asked: the message waits for it, is kept, or goes into a fork. */
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
    { label: 'wait', detail: 'send it when the other program is done', value: 'wait' },
    { label: 'watch', detail: 'keep the message here and look on', value: 'watch' },
    { label: 'fork', detail: 'send it in a copy of this session', value: 'fork' },
  ])
  if (chosen === 'wait') {
    host.say('Waiting for the other program…', 'faint')
    return host.send(text, { waitMs: LONGEST_WAIT_MS })
  }
  if (chosen !== 'fork') return host.write(text)
  const forked = await (await host.engine.open(id)).fork()
  await host.open(forked.sessionId)
  await host.send(text)
}

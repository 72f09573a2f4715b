/** What is said to a turn that runs: /tell, /cancel, and /queue, what waits for its end. */
import type { SessionId } from '../../../format/ids.ts'
import { preview } from '../../../state/preview.ts'
import { inSession } from './command.ts'
import type { Command, CommandHost } from './command.ts'

const queue = inSession(async (host, id) => {
  const session = await host.engine.open(id)
  const { entries: waiting } = await session.queue()
  if (waiting.length === 0)
    return host.say('Nothing waits. While the agent works, enter queues a message.', 'faint')
  const chosen = await host.chooseDeed(
    'Waiting',
    waiting.map((entry, at) => ({
      label: preview(entry.prompt, 200),
      value: { id: entry.id, prompt: entry.prompt, at },
    })),
    [
      ['enter', 'changes'],
      ['u', 'moves up'],
      ['d', 'takes out'],
      ['c', 'takes all out'],
    ],
  )
  if (chosen === undefined) return
  await act(host, id, chosen.deed, chosen.value)
  if (chosen.deed !== 'enter' && (await session.queue()).entries.length > 0) await queue(host, '')
})

async function act(
  host: CommandHost,
  id: SessionId,
  deed: string,
  entry: { readonly id: string; readonly prompt: string; readonly at: number },
): Promise<void> {
  const session = await host.engine.open(id)
  const messageId = entry.id
  // It may have been sent while the person was looking.
  if (!(await session.queue()).entries.some((each) => each.id === messageId))
    return host.say('It does not wait any more.', 'faint')
  if (deed === 'c') await session.changeQueue({ kind: 'clear' })
  else if (deed === 'd') await session.changeQueue({ kind: 'remove', messageId })
  else if (deed === 'u')
    await session.changeQueue({ kind: 'move', messageId, position: Math.max(0, entry.at - 1) })
  else {
    const text = await host.ask('The message', entry.prompt)
    if (text !== undefined && text.trim() !== '')
      await session.changeQueue({ kind: 'edit', messageId, prompt: text })
  }
}

async function tell(host: CommandHost, text: string): Promise<void> {
  if (text === '') return host.say('/tell wants a message: /tell use the other file.', 'bad')
  await host.send(text, { whenBusy: 'steer' })
}

export const queueCommands: readonly Command[] = [
  { name: 'tell', arguments: '<message>', help: 'say it in the turn that runs', run: tell },
  { name: 'cancel', help: 'end the turn that runs', run: async (host) => host.cancel() },
  { name: 'queue', help: 'messages that wait: change, move or take them out', run: queue },
]

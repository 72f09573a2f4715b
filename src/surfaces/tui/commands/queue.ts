/** /queue: what waits for the turn to end, to be changed, moved or taken out. */
import type { SessionId } from '../../../format/ids.ts'
import { preview } from '../../../state/preview.ts'
import { inSession } from './command.ts'
import type { Command, Desk } from './command.ts'

const queue = inSession(async (desk, id) => {
  const session = await desk.engine.open(id)
  const { entries: waiting } = await session.queue()
  if (waiting.length === 0)
    return desk.say('Nothing waits. While the agent works, enter queues a message.', 'faint')
  const chosen = await desk.chooseDeed(
    'Waiting',
    waiting.map((entry, at) => ({
      label: `${at + 1}. ${preview(entry.prompt, 200)}`,
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
  await act(desk, id, chosen.deed, chosen.value)
  if (chosen.deed !== 'enter' && (await session.queue()).entries.length > 0) await queue(desk, '')
})

async function act(
  desk: Desk,
  id: SessionId,
  deed: string,
  entry: { readonly id: string; readonly prompt: string; readonly at: number },
): Promise<void> {
  const session = await desk.engine.open(id)
  const messageId = entry.id
  // It may have been sent while the person was looking.
  if (!(await session.queue()).entries.some((each) => each.id === messageId))
    return desk.say('It does not wait any more.', 'faint')
  if (deed === 'c') await session.changeQueue({ kind: 'clear' })
  else if (deed === 'd') await session.changeQueue({ kind: 'remove', messageId })
  else if (deed === 'u')
    await session.changeQueue({ kind: 'move', messageId, position: Math.max(0, entry.at - 1) })
  else {
    const text = await desk.ask('The message', entry.prompt)
    if (text !== undefined && text.trim() !== '')
      await session.changeQueue({ kind: 'edit', messageId, prompt: text })
  }
}

export const queueCommands: readonly Command[] = [
  { name: 'queue', help: 'messages that wait: change, move or take them out', run: queue },
]

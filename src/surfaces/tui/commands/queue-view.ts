/** /queue: the messages that wait, to be changed, moved and taken out. */
import { queue, queueClear, queueEdit, queueMove, queueRemove } from '../../../commands/queue.ts'
import type { QueueView } from '../../../engine/turn/queue.ts'
import { preview } from '../../../state/preview.ts'
import type { CommandHost } from './command.ts'
import { resultOf } from './show-result.ts'

export async function queueView(host: CommandHost, { entries }: QueueView): Promise<void> {
  if (entries.length === 0)
    return host.say('Nothing waits. While the agent works, enter queues a message.', 'faint')
  const chosen = await host.chooseDeed(
    'Waiting',
    entries.map(({ id, prompt }, at) => ({
      label: preview(prompt, 200),
      value: { id, prompt, at },
    })),
    [
      ['enter', 'changes'],
      ['u', 'moves up'],
      ['d', 'takes out'],
      ['c', 'takes all out'],
    ],
  )
  if (chosen === undefined) return
  const { id: message, prompt, at } = chosen.value
  if (chosen.deed === 'enter') {
    const text = await host.ask('The message', prompt)
    if (text !== undefined && text.trim() !== '') await resultOf(host, queueEdit, { message, text })
    return
  }
  if (chosen.deed === 'c') await resultOf(host, queueClear, {})
  if (chosen.deed === 'd') await resultOf(host, queueRemove, { message })
  if (chosen.deed === 'u') await resultOf(host, queueMove, { message, place: Math.max(1, at) })
  const left = await resultOf(host, queue, {})
  if (left.entries.length > 0) await queueView(host, left)
}

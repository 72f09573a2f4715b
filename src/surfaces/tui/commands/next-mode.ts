/** One key goes through the modes: told by the status line, not in the transcript. */
import { mode, modes } from '../../../commands/settings.ts'
import type { Message } from '../model/message.ts'
import type { CommandHost } from './command.ts'
import { resultOf } from './show-result.ts'

export async function nextMode(
  host: CommandHost,
  now: string,
  tell: (message: Message) => void,
): Promise<void> {
  const at = modes.findIndex(([name]) => name === now)
  const [next, about] = modes[(at + 1) % modes.length] ?? modes[0]
  await resultOf(host, mode, { mode: next })
  tell({ kind: 'facts', facts: { mode: next } })
  tell({ kind: 'hint', text: `${next}: ${about}` })
}

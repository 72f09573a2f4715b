/** A command of the table in the terminal: what was not typed may be chosen first, and a result may be chosen from. */
import { lacking, type Wanted } from '../../../commands/parse.ts'
import type { CommandHost } from './command.ts'
import { runShown } from './show-result.ts'
import { views } from './views.ts'

export async function runCommand(
  host: CommandHost,
  { command, args, isBare }: Wanted,
): Promise<void> {
  const { ask, show } = views.get(command.name) ?? {}
  const chosen = isBare && ask !== undefined ? await ask(host) : args
  if (chosen !== undefined) await runShown(host, command, chosen, show)
  else if (ask === undefined) throw lacking(command)
}

/** Slash commands from a page: the list of them, and one of them done in a session. */
import { listed } from '../../commands/listed.ts'
import { typed } from '../../commands/parse.ts'
import { isOffered, perform } from '../../commands/perform.ts'
import { noServices } from '../../commands/services.ts'
import { table } from '../../commands/table.ts'
import type { SessionId } from '../../format/ids.ts'
import type * as api from './api.ts'
import { WebFailure } from './failure.ts'
import type { Web } from './route.ts'

const own = table.filter((command) => isOffered(command, {}))

export const listCommands = (): api.CommandsAnswer => ({
  commands: listed(own).map(({ name, aliases, summary, hint, words }) => ({
    name,
    aliases,
    summary,
    hint,
    words: words.map(([word, meaning]) => ({ word, meaning })),
  })),
})

export async function runCommand(
  { engine, cwd, store = noServices }: Web,
  id: SessionId,
  text: string,
): Promise<api.CommandAnswer> {
  const given = typed(own, text)
  if ('message' in given)
    throw new WebFailure('invalid', 'This is a message and no command. Nothing was sent.')
  const session = await engine.open(id)
  const { said, result } = await perform(
    {
      ...store,
      engine,
      cwd: (await session.state()).project.cwd ?? cwd,
      now: () => new Date(),
      table: own,
      session: async () => session,
    },
    given,
  )
  return { said, result: result ?? null }
}

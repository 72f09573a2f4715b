/** Slash commands from a page: the list of them, and one of them done in a session. */
import type { Command } from '../../commands/command.ts'
import { slash } from '../../commands/fields.ts'
import { listed } from '../../commands/listed.ts'
import { askAgent, tableWith } from '../../commands/offered.ts'
import { isUnknown, typed } from '../../commands/parse.ts'
import { isOffered, perform } from '../../commands/perform.ts'
import { noServices } from '../../commands/services.ts'
import { table } from '../../commands/table.ts'
import { userCommandsOf } from '../../commands/user-commands.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import type * as api from './api.ts'
import type { Web } from './route.ts'

const own = table.filter((command) => isOffered(command, {}))

/** Ours, and those of the user's files. The agent is not started for a list. */
const tableFor = async ({ engine }: Web, session: Session): Promise<readonly Command[]> =>
  tableWith(own, await userCommandsOf(engine, session))

export async function listCommands(web: Web, id: SessionId): Promise<api.CommandsAnswer> {
  const commands = await tableFor(web, await web.engine.open(id))
  return {
    commands: listed(commands).map(({ name, aliases, summary, hint, words }) => ({
      name,
      aliases,
      summary,
      hint,
      words: words.map(([word, meaning]) => ({ word, meaning })),
    })),
  }
}

/** What is a message, or is for the agent, is given back to be sent. */
export async function runCommand(
  web: Web,
  id: SessionId,
  text: string,
): Promise<api.CommandAnswer> {
  const { engine, cwd, store = noServices } = web
  const session = await engine.open(id)
  const commands = await tableFor(web, session)
  const given = await read(commands, text, session)
  if ('message' in given) return { said: '', message: given.message, result: null }
  const { said, result } = await perform(
    {
      ...store,
      engine,
      cwd: (await session.state()).project.cwd ?? cwd,
      now: () => new Date(),
      call: slash,
      table: commands,
      session: async () => session,
    },
    given,
  )
  return { said, result: result ?? null }
}

/** The agent is asked for its commands when nobody else knows this one. */
async function read(commands: readonly Command[], text: string, session: Session) {
  try {
    return typed(commands, text)
  } catch (error) {
    if (!isUnknown(error)) throw error
    const theirs = await askAgent(session, AbortSignal.timeout(LONGEST_WAIT_MS))
    return typed(tableWith(commands, theirs), text)
  }
}

/** An agent that does not come up in this time is not waited for. */
const LONGEST_WAIT_MS = 10_000

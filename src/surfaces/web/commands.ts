/** Slash commands from a page: the list of them, and one of them done in a session. */
import type { Command } from '../../commands/command.ts'
import { slash } from '../../commands/fields.ts'
import { listed } from '../../commands/command-list.ts'
import { askAgent, tableWith, type Offered } from '../../commands/offered.ts'
import { isOffered, perform } from '../../commands/perform.ts'
import { readTyped } from '../../commands/read-typed.ts'
import { noServices } from '../../commands/services.ts'
import { table } from '../../commands/table.ts'
import { userCommandsOf } from '../../commands/user-commands.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type * as api from './api.ts'
import type { Web } from './route.ts'

/** Ours, and those of the user's files. */
const tableFor = async ({ engine, agents }: Web, session: Session): Promise<readonly Command[]> =>
  tableWith(
    table.filter((command) => isOffered(command, defined({ agents }))),
    await userCommandsOf(engine, session),
  )

/** With the agent's own it may have to come up first; without them the answer is there at once. */
export async function listCommands(
  web: Web,
  id: SessionId,
  { withAgent }: { readonly withAgent: boolean },
): Promise<api.CommandsAnswer> {
  const session = await web.engine.open(id)
  const theirs = withAgent ? await agentCommands(session) : []
  const commands = tableWith(await tableFor(web, session), theirs)
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

async function agentCommands(session: Session): Promise<readonly Offered[]> {
  // Where another process has the session, the agent is there.
  if ((await session.holder()) !== undefined) return []
  // An agent that cannot be started offers nothing; the message that needs it says why.
  return askAgent(session, AbortSignal.timeout(LONGEST_WAIT_MS)).catch(() => [])
}

/** What is a message, or is for the agent, is given back to be sent. */
export async function runCommand(
  web: Web,
  id: SessionId,
  text: string,
): Promise<api.CommandAnswer> {
  const { engine, cwd, agents, store = noServices } = web
  const session = await engine.open(id)
  const ours = await tableFor(web, session)
  const { known, given } = await readTyped(text, [
    () => ours,
    async () => tableWith(ours, await askAgent(session, AbortSignal.timeout(LONGEST_WAIT_MS))),
  ])
  if ('message' in given) return { said: '', message: given.message, result: null }
  const { said, result } = await perform(
    {
      ...store,
      engine,
      cwd: (await session.state()).project.cwd ?? cwd,
      now: () => new Date(),
      call: slash,
      table: known,
      session: async () => session,
      ...defined({ agents }),
    },
    given,
  )
  return { said, result: result ?? null }
}

/** An agent that does not come up in this time is not waited for. */
const LONGEST_WAIT_MS = 10_000

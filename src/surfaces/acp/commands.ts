/** Slash commands in an editor: those of the table, and before them those of the agent behind the session. */
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Command, CommandContext, HomeServices } from '../../commands/command.ts'
import { listed } from '../../commands/listed.ts'
import { askAgent, offeredByAgent, tableWith } from '../../commands/offered.ts'
import type { Offered } from '../../commands/offered.ts'
import { isUnknown, typed } from '../../commands/parse.ts'
import { isOffered, perform } from '../../commands/perform.ts'
import { noServices } from '../../commands/services.ts'
import { table } from '../../commands/table.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Fields } from '../../lib/fields.ts'

const own = table.filter((command) => isOffered(command, {}))

/** The agent's own commands go before ours. */
const tableFor = (offered: readonly Offered[]): readonly Command[] =>
  tableWith(own, offered, { first: 'theirs' })

export const availableCommands = (
  theirs: readonly Fields[],
): readonly (AvailableCommand | Fields)[] => [
  ...listed(tableFor(offeredByAgent(theirs))).flatMap(({ name, summary, hint, command }) =>
    command.isOfAgent === true
      ? []
      : [{ name, description: summary, ...(hint !== '' && { input: { hint } }) }],
  ),
  ...theirs,
]

type Parts = { readonly engine: Engine; readonly services?: HomeServices }
type Prompted = {
  readonly id: SessionId
  readonly theirCommands: readonly Fields[]
  readonly projection: { readonly cwd: string }
}

/** A message to be sent, or what a command has said, in Markdown. What is refused is said too: it is the answer. */
export async function takePrompt(
  { engine, services = noServices }: Parts,
  { id, theirCommands, projection }: Prompted,
  text: string,
  signal: AbortSignal,
): Promise<{ readonly message: string } | { readonly said: string }> {
  const session = await engine.open(id)
  const context = (commands: readonly Command[]): CommandContext => ({
    ...services,
    engine,
    cwd: projection.cwd,
    now: () => new Date(),
    table: commands,
    session: async () => session,
  })
  const take = async (commands: readonly Command[]) => {
    const given = typed(commands, text)
    return 'message' in given ? given : perform(context(commands), given)
  }
  try {
    return await take(tableFor(offeredByAgent(theirCommands))).catch(async (error: unknown) => {
      // An agent that has not come up yet has not told its commands.
      if (!isUnknown(error) || theirCommands.length > 0) throw error
      return take(tableFor(await askAgent(session, signal)))
    })
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'internal') return { said: error.message }
    throw error
  }
}

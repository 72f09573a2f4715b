/** What an editor sends as a prompt: a message, or a command that is done at once and says what came of it. */
import type { Command, CommandContext } from '../../commands/command.ts'
import { slash } from '../../commands/fields.ts'
import { askAgent, offeredByAgent } from '../../commands/offered.ts'
import { isUnknown, typed } from '../../commands/parse.ts'
import { perform } from '../../commands/perform.ts'
import { noServices } from '../../commands/services.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Attached } from './attached.ts'
import type { AcpParts } from './client.ts'
import { tableFor } from './commands.ts'

/** A message to be sent, or what a command has said, in Markdown. What is refused is said too: it is the answer. */
export async function takePrompt(
  { engine, services = noServices }: AcpParts,
  { id, theirCommands, userCommands, projection }: Attached,
  text: string,
  signal: AbortSignal,
): Promise<{ readonly message: string } | { readonly said: string }> {
  const session = await engine.open(id)
  const context = (commands: readonly Command[]): CommandContext => ({
    ...services,
    engine,
    cwd: projection.cwd,
    now: () => new Date(),
    call: slash,
    table: commands,
    session: async () => session,
  })
  const take = async (commands: readonly Command[]) => {
    const given = typed(commands, text)
    return 'message' in given ? given : perform(context(commands), given)
  }
  try {
    const table = tableFor(offeredByAgent(theirCommands), userCommands)
    return await take(table).catch(async (error: unknown) => {
      // An agent that has not come up yet has not told its commands.
      if (!isUnknown(error) || theirCommands.length > 0) throw error
      return take(tableFor(await askAgent(session, signal), userCommands))
    })
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'internal') return { said: error.message }
    throw error
  }
}

/** What an editor sends as a prompt: a message, or a command that is done at once and says what came of it. */
import { slash } from '../../commands/fields.ts'
import { askAgent, offeredByAgent } from '../../commands/offered.ts'
import { perform } from '../../commands/perform.ts'
import { readTyped } from '../../commands/read-typed.ts'
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
  const tellsLater = async () => tableFor(await askAgent(session, signal), userCommands)
  try {
    const { known, given } = await readTyped(text, [
      () => tableFor(offeredByAgent(theirCommands), userCommands),
      // An agent that has not come up yet has not told its commands.
      ...(theirCommands.length === 0 ? [tellsLater] : []),
    ])
    if ('message' in given) return given
    return await perform(
      {
        ...services,
        engine,
        cwd: projection.cwd,
        now: () => new Date(),
        call: slash,
        table: known,
        session: async () => session,
      },
      given,
    )
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'internal') return { said: error.message }
    throw error
  }
}

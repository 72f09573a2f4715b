/** Runs a command and says what came of it. Every surface does it through this. */
import { EngineError } from '../engine/errors.ts'
import type { Command, CommandContext, Faculties } from './command.ts'
import { lacking } from './parse.ts'
import type { Wanted } from './parse.ts'

type Performed = {
  readonly command: Command
  /** For programs. */
  readonly result: unknown
  /** For people, in Markdown. */
  readonly said: string
}

export async function perform(
  context: CommandContext,
  { command, args }: Pick<Wanted, 'command' | 'args'>,
): Promise<Performed> {
  if (!isOffered(command, context))
    throw new EngineError('invalid', `/${command.name} works in the terminal only.`)
  if (args === undefined) throw lacking(command)
  const result = await command.run(context, args)
  return { command, result, said: command.say(result, context) }
}

export const isOffered = ({ needs }: Command, faculties: Faculties): boolean =>
  needs === undefined || faculties[needs] !== undefined

/** Runs a command and says what came of it. Every surface does it through this. */
import { EngineError } from '../engine/errors.ts'
import type { Command, CommandContext, Faculties } from './command.ts'
import { lacking, type Wanted } from './parse.ts'

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
  if (!isOffered(command, context)) throw worksElsewhere(command)
  if (args === undefined) throw lacking(command)
  const result = await command.run(context, args)
  return { command, result, said: command.say(result, context) }
}

const PLACES: Readonly<Record<keyof Faculties, string>> = {
  view: 'in the terminal',
  permissions: 'in the terminal',
  agents: 'in the terminal and on the page',
  look: 'on the whole screen of the terminal',
  logins: 'in the terminal',
  guests: 'in the terminal',
  machine: 'in the terminal and on the command line',
}

export const worksElsewhere = ({ name, needs = 'view' }: Command): EngineError =>
  new EngineError('invalid', `/${name} works ${PLACES[needs]} only. Nothing was changed.`)

export const isOffered = ({ needs }: Command, faculties: Faculties): boolean =>
  needs === undefined || faculties[needs] !== undefined

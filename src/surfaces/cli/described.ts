/** Rows of the table as commands with all their words, options and help, and lists of what can be asked. */
import type { Command, Program, Row } from './command.ts'
import { commandsOf } from './find-command.ts'

export const described = async (row: Row): Promise<Command> =>
  'of' in row ? (await import('./derive.ts')).derive(row) : row

type Listed = readonly [word: string, about: string]

/** What a line may begin with. */
export async function firstWords({ groups, commands }: Program): Promise<readonly Listed[]> {
  const single = commands.filter(({ name, hidden }) => !name.includes(' ') && hidden !== true)
  const all = await Promise.all(single.map(described))
  return [...Object.entries(groups), ...all.map(({ name, summary }) => [name, summary] as const)]
}

/** What may stand behind the name of a group. */
export async function wordsOf(program: Program, group: string): Promise<readonly Listed[]> {
  const all = await Promise.all(commandsOf(program, group).map(described))
  return all.map(({ name, summary }) => [name.slice(group.length + 1), summary])
}

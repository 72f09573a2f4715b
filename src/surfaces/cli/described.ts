/** Rows of the table as commands with all their words, options and help, and lists of what can be asked. */
import type { Command, Program, Row } from './command.ts'
import { commandsOf } from './find-command.ts'

export const described = async (row: Row): Promise<Command> =>
  'of' in row ? (await import('./derive.ts')).derive(row) : row

type Listed = readonly [word: string, about: string]

/** What a line may begin with. */
export async function firstWords({ groups, commands }: Program): Promise<readonly Listed[]> {
  const single = commands.filter(({ name, hidden }) => !name.includes(' ') && hidden !== true)
  const all = await Promise.all(single.map(listed))
  return [...Object.entries(groups), ...all]
}

/** What may stand behind the name of a group. */
export async function wordsOf(program: Program, group: string): Promise<readonly Listed[]> {
  const all = await Promise.all(commandsOf(program, group).map(listed))
  return all.map(([name, summary]) => [name.slice(group.length + 1), summary])
}

const listed = async (row: Row): Promise<Listed> => [row.name, await summaryOf(row)]

/** A list of commands needs no schema: the build has asked every command before. */
const summaryOf = async (row: Row): Promise<string> =>
  summaries[row.name] ?? (await described(row)).summary

const summaries: Readonly<Record<string, string>> =
  typeof REPRISE_SUMMARIES === 'string' ? JSON.parse(REPRISE_SUMMARIES) : {}

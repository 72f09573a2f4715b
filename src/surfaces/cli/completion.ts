/** What may stand next on a command line. Everything comes from the command table; only sessions are asked for. */
import { commands, commonOptions, groups, rootCommand } from './command-table.ts'
import type { Command } from './command.ts'

export type Candidate = { readonly value: string; readonly about: string }

/** `words` are those behind the program's name; the last one is being typed and may be empty. */
export async function complete(
  words: readonly string[],
  sessions: () => Promise<readonly Candidate[]>,
): Promise<Candidate[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { command, used } = commandOf(before)
  const all = await possible(command, before.slice(used), typed, sessions)
  return all.filter(({ value }) => value.startsWith(typed))
}

/** The command that the words name, or the group that they stop at, and how many words that took. */
function commandOf(words: readonly string[]): { command: Command | string; used: number } {
  const [first = '', second = ''] = words
  const single = commands.find(({ name }) => name === first)
  if (single !== undefined) return { command: single, used: 1 }
  if (!(first in groups)) return { command: rootCommand, used: 0 }
  const inGroup = commands.find(({ name }) => name === `${first} ${second}`)
  return inGroup === undefined ? { command: first, used: 1 } : { command: inGroup, used: 2 }
}

async function possible(
  command: Command | string,
  given: readonly string[],
  typed: string,
  sessions: () => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  if (typeof command === 'string') return subcommands(command)
  if (given.at(-1) === '--resume') return sessions()
  if (typed.startsWith('-')) return optionsOf(command)
  if (command === rootCommand) return given.length === 0 ? firstWords() : []
  const position = given.filter((word) => !word.startsWith('-')).length
  const takes = command.arguments ?? []
  const argument = takes[position]?.[0] ?? takes.findLast(([name]) => name.includes('...'))?.[0]
  if (argument === undefined) return []
  if (argument.includes('session')) return [...references, ...(await sessions())]
  return argument === '<shell>' ? shells : []
}

const references: readonly Candidate[] = [
  { value: '@latest', about: 'the newest session' },
  { value: '@continue', about: 'the session nearest to this directory' },
]

const shells: readonly Candidate[] = ['bash', 'zsh', 'fish'].map((value) => ({
  value,
  about: 'shell',
}))

const firstWords = (): Candidate[] => [
  ...Object.entries(groups).map(([value, about]) => ({ value, about })),
  ...commands
    .filter(({ name, hidden }) => !name.includes(' ') && hidden !== true)
    .map(({ name, summary }) => ({ value: name, about: summary })),
]

const subcommands = (group: string): Candidate[] =>
  commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, summary }) => ({ value: name.slice(group.length + 1), about: summary }))

const optionsOf = (command: Command): Candidate[] =>
  [...(command.options ?? []), ...commonOptions].map(([flags, about]) => ({
    value: /--[a-z-]+/.exec(flags)?.[0] ?? flags,
    about,
  }))

/** What may stand next on a command line. Everything comes from the command table; only sessions are asked for. */
import type { Command, Program } from './command.ts'
import { commandsOf, defaultOf, findCommand } from './find-command.ts'
import { specOf } from './option.ts'
import { optionsOf as optionsFor } from './parse.ts'

export type Candidate = { readonly value: string; readonly about: string }

/** `words` are those behind the program's name; the last one is being typed and may be empty. */
export async function complete(
  program: Program,
  words: readonly string[],
  sessions: () => Promise<readonly Candidate[]>,
): Promise<Candidate[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { command, group, rest } = findCommand(program, before)
  const all = await possible(program, group ?? command ?? program.root, rest, typed, sessions)
  return all.filter(({ value }) => value.startsWith(typed))
}

async function possible(
  program: Program,
  command: Command | string,
  given: readonly string[],
  typed: string,
  sessions: () => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  if (typeof command === 'string') {
    const own = defaultOf(program, command)
    return typed.startsWith('-') && own !== undefined
      ? optionsOf(program, own)
      : subcommands(program, command)
  }
  if (/^(-r|--resume|--guest|--session)$/.test(given.at(-1) ?? '')) return sessions()
  if (typed.startsWith('-')) return optionsOf(program, command)
  if (command === program.root) return given.length === 0 ? firstWords(program) : []
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

const firstWords = ({ groups, commands }: Program): Candidate[] => [
  ...Object.entries(groups).map(([value, about]) => ({ value, about })),
  ...commands
    .filter(({ name, hidden }) => !name.includes(' ') && hidden !== true)
    .map(({ name, summary }) => ({ value: name, about: summary })),
]

const subcommands = (program: Program, group: string): Candidate[] =>
  commandsOf(program, group).map(({ name, summary }) => ({
    value: name.slice(group.length + 1),
    about: summary,
  }))

const optionsOf = (program: Program, command: Command): Candidate[] =>
  optionsFor(program, command).map((option) => {
    const { flags } = specOf(option)
    return {
      value: flags.find((flag) => flag.startsWith('--')) ?? flags[0] ?? '',
      about: option[1],
    }
  })

/** What may stand next on a command line. Everything comes from the command table; only sessions are asked for. */
import type { Program, Row } from './command.ts'
import { described, firstWords, wordsOf } from './described.ts'
import { defaultOf, findCommand } from './find-command.ts'
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
  row: Row | string,
  given: readonly string[],
  typed: string,
  sessions: () => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  if (typeof row === 'string') {
    const own = defaultOf(program, row)
    return typed.startsWith('-') && own !== undefined
      ? optionsOf(program, own)
      : candidates(await wordsOf(program, row))
  }
  if (/^(-r|--resume|--guest|--session)$/.test(given.at(-1) ?? '')) return sessions()
  if (typed.startsWith('-')) return optionsOf(program, row)
  if (row === program.root) return given.length === 0 ? candidates(await firstWords(program)) : []
  const position = given.filter((word) => !word.startsWith('-')).length
  const takes = (await described(row)).arguments ?? []
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

const candidates = (words: readonly (readonly [string, string])[]): Candidate[] =>
  words.map(([value, about]) => ({ value, about }))

async function optionsOf(program: Program, row: Row): Promise<Candidate[]> {
  return optionsFor(program, await described(row)).map((option) => {
    const { flags } = specOf(option)
    return {
      value: flags.find((flag) => flag.startsWith('--')) ?? flags[0] ?? '',
      about: option[1],
    }
  })
}

/** What can follow while a command is typed: its name, then a word behind it. Pure. */
import type { CommandsAnswer } from '../../api.ts'

export type Candidate = {
  /** The whole line when it is chosen. */
  readonly line: string
  readonly label: string
  readonly about: string
}

/** A line that may be a command: the server knows whether it is one. */
export const mayBeCommand = (text: string): boolean => text.startsWith('/')

export function candidatesFor(
  commands: CommandsAnswer['commands'],
  text: string,
): readonly Candidate[] {
  const [, name, gap, typed = ''] = /^\/([^\s/]*)(\s+)?(\S*)$/.exec(text) ?? []
  if (name === undefined) return []
  if (gap === undefined) return commands.filter((each) => begins(each, name)).map(named)
  const command = commands.find((each) => each.name === name)
  return (command?.words ?? [])
    .filter(({ word }) => word.startsWith(typed) && word !== typed)
    .map(({ word, meaning }) => ({ line: `/${name} ${word}`, label: word, about: meaning }))
}

type Listed = CommandsAnswer['commands'][number]

const begins = ({ name, aliases }: Listed, typed: string): boolean =>
  [name, ...aliases].some((each) => each.startsWith(typed))

const named = ({ name, summary, hint }: Listed): Candidate => ({
  line: hint === '' ? `/${name}` : `/${name} `,
  label: hint === '' ? `/${name}` : `/${name} ${hint}`,
  about: summary,
})

/** Help as text, from the table of commands. */
import type { Command, Program, Row } from './command.ts'
import { described, firstWords, wordsOf } from './described.ts'
import { defaultOf } from './find-command.ts'
import { usageOf } from './parse.ts'

type Line = readonly [string, string, ...unknown[]]

/** For a command, or for a group by its name. */
export async function helpFor(
  program: Program,
  subject: Row | string,
  columns: number,
): Promise<string> {
  const width = Math.min(columns, WIDEST)
  const paragraphs =
    typeof subject === 'string'
      ? await ofGroup(program, subject, width)
      : await ofCommand(program, await described(subject), width)
  return `${paragraphs.join('\n\n')}\n`
}

const WIDEST = 100

async function ofCommand(program: Program, command: Command, width: number): Promise<string[]> {
  return [
    command === program.root
      ? 'Usage: reprise [options]\n       reprise <command> [options]'
      : `Usage: ${usageOf(command)}`,
    wrapped(`${command.summary.replace(/\.$/, '')}.`, width).join('\n'),
    ...(command === program.root ? [list('Commands', await firstWords(program), width)] : []),
    ...list_('Arguments', command.arguments, width),
    ...optionLists(program, command, width),
    ...(command.notes ?? []).map((note) => wrapped(note, width).join('\n')),
    ...examplesOf(command),
  ]
}

async function ofGroup(program: Program, group: string, width: number): Promise<string[]> {
  const row = defaultOf(program, group)
  const command = row && (await described(row))
  return [
    `Usage: reprise ${group} <command> [options]`,
    `${program.groups[group]}.`,
    list('Commands', await wordsOf(program, group), width),
    ...(command === undefined
      ? [list('Options', program.common, width)]
      : [`Without a command it is "${command.name}":`, ...optionLists(program, command, width)]),
  ]
}

const optionLists = (
  { common }: Program,
  { options = [], sections = [] }: Command,
  width: number,
): string[] => [
  list('Options', [...options, ...common], width),
  ...sections.map((section) => list(section.heading, section.options, width)),
]

const list_ = (heading: string, rows: readonly Line[] | undefined, width: number): string[] =>
  rows === undefined || rows.length === 0 ? [] : [list(heading, rows, width)]

const examplesOf = ({ examples }: Command): string[] =>
  examples.length === 0
    ? []
    : [['Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n')]

const INDENT = 2
const GAP = 2
const WIDEST_NAME = 34

/** Two columns; a name that is too long for the first has a line of its own. */
function list(heading: string, rows: readonly Line[], width: number): string {
  const names = rows.map(([name]) => name.length).filter((length) => length <= WIDEST_NAME)
  const column = INDENT + Math.max(0, ...names) + GAP
  const lines = rows.flatMap(([name, about]) => {
    const [first = '', ...more] = wrapped(about, width - column)
    const indented = more.map((line) => ' '.repeat(column) + line)
    const start = ' '.repeat(INDENT) + name
    return start.length + GAP > column
      ? [start, ' '.repeat(column) + first, ...indented]
      : [start.padEnd(column) + first, ...indented]
  })
  return [`${heading}:`, ...lines].join('\n')
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

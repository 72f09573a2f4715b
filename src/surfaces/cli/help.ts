/** Help as text, from the table of commands. */
import { commands, commonOptions, groups, rootCommand } from './command-table.ts'
import type { Command } from './command.ts'
import { commandsOf, defaultOf } from './find-command.ts'
import { usageOf } from './parse.ts'

type Row = readonly [string, string, ...unknown[]]

/** For a command, or for a group by its name. */
export function helpFor(subject: Command | string, columns: number): string {
  const width = Math.min(columns, WIDEST)
  const paragraphs =
    typeof subject === 'string' ? ofGroup(subject, width) : ofCommand(subject, width)
  return `${paragraphs.join('\n\n')}\n`
}

const WIDEST = 100

function ofCommand(command: Command, width: number): string[] {
  return [
    command === rootCommand
      ? 'Usage: reprise [options]\n       reprise <command> [options]'
      : `Usage: ${usageOf(command)}`,
    wrapped(`${command.summary.replace(/\.$/, '')}.`, width).join('\n'),
    ...(command === rootCommand ? [list('Commands', firstWords(), width)] : []),
    ...list_('Arguments', command.arguments, width),
    ...optionLists(command, width),
    ...(command.notes ?? []).map((note) => wrapped(note, width).join('\n')),
    ...examplesOf(command),
  ]
}

function ofGroup(group: string, width: number): string[] {
  const command = defaultOf(group)
  const names = commandsOf(group).map(({ name, summary }): Row => [
    name.slice(group.length + 1),
    summary,
  ])
  return [
    `Usage: reprise ${group} <command> [options]`,
    `${groups[group]}.`,
    list('Commands', names, width),
    ...(command === undefined
      ? [list('Options', commonOptions, width)]
      : [`Without a command it is "${command.name}":`, ...optionLists(command, width)]),
  ]
}

const optionLists = ({ options = [], sections = [] }: Command, width: number): string[] => [
  list('Options', [...options, ...commonOptions], width),
  ...sections.map((section) => list(section.heading, section.options, width)),
]

const list_ = (heading: string, rows: readonly Row[] | undefined, width: number): string[] =>
  rows === undefined || rows.length === 0 ? [] : [list(heading, rows, width)]

const examplesOf = ({ examples }: Command): string[] =>
  examples.length === 0
    ? []
    : [['Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n')]

const firstWords = (): Row[] => [
  ...Object.entries(groups),
  ...commands
    .filter(({ name, hidden }) => !name.includes(' ') && hidden !== true)
    .map(({ name, summary }): Row => [name, summary]),
]

const INDENT = 2
const GAP = 2
const WIDEST_NAME = 34

/** Two columns; a name that is too long for the first has a line of its own. */
function list(heading: string, rows: readonly Row[], width: number): string {
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

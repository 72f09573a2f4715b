/** The reference of all commands as Markdown, from the table that the program itself is made of. */
import { program } from '../src/surfaces/cli/command-table.ts'
import type { Command } from '../src/surfaces/cli/command.ts'
import { described } from '../src/surfaces/cli/described.ts'
import { exitMeanings } from '../src/surfaces/cli/exit-codes.ts'

export async function cliReference(): Promise<string> {
  const { root, common } = program
  const commands = await Promise.all(program.commands.map(described))
  return [
    section(root),
    '### Options of every command',
    'They stand behind the name of the command, or before it.',
    table(['option', 'meaning'], rows(common)),
    ...commands.filter(({ hidden }) => hidden !== true).map(section),
    '### Exit codes',
    table(
      ['code', 'meaning'],
      exitMeanings.map(([code, meaning]) => [String(code), meaning]),
    ),
  ].join('\n\n')
}

function section(command: Command): string {
  const words = (command.arguments ?? []).map(([name]) => name)
  const usage = ['reprise', command.name, ...words, '[options]'].filter((word) => word !== '')
  return [
    `### ${['reprise', command.name].join(' ').trim()}`,
    `${command.summary.replace(/\.$/, '')}.`,
    `\`\`\`\n${usage.join(' ')}\n\`\`\``,
    ...(words.length > 0 ? [table(['argument', 'meaning'], rows(command.arguments ?? []))] : []),
    ...(command.options === undefined ? [] : [table(['option', 'meaning'], rows(command.options))]),
    ...(command.sections ?? []).flatMap(({ heading, options }) => [
      `#### ${heading}`,
      table(['option', 'meaning'], rows(options)),
    ]),
    ...(command.notes ?? []),
    `\`\`\`sh\n${command.examples.join('\n')}\n\`\`\``,
  ].join('\n\n')
}

const rows = (pairs: readonly (readonly [string, string, ...unknown[]])[]) =>
  pairs.map(([name, about]) => [`\`${name}\``, about])

/** Columns padded as the formatter pads them, so that a generated document is a formatted one. */
function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const all = [head, ...body].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, at) => Math.max(3, ...all.map((row) => (row[at] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(all[0] ?? []), rule, ...all.slice(1).map(line)].join('\n')
}

/** The command table as a program that parses: one place where words become a command and its options. */
import { Command as Parser } from 'commander'
import { commands, commonOptions, groups, rootCommand } from './command-table.ts'
import { given, usage } from './command.ts'
import type { Command, Given } from './command.ts'

export type Parsed = { readonly command: Command; readonly given: Given }

/** What the parser prints goes to `write`: help is output, and its complaints are thrown. */
export function parse(
  argv: readonly string[],
  options: { readonly version: string; readonly write: (text: string) => void },
): Parsed | undefined {
  let parsed: Parsed | undefined
  const program = buildProgram(options, (command, parser) => {
    refuseWordTooMany(command, parser)
    parsed = { command, given: given(parser.processedArgs, mergedOptions(parser)) }
  })
  program.parse(argv, { from: 'user' })
  return parsed
}

export function buildProgram(
  { version, write }: { readonly version: string; readonly write: (text: string) => void },
  chosen: (command: Command, parser: Parser) => void,
): Parser {
  const quiet = { writeOut: write, writeErr: () => {} }
  const program = new Parser('reprise')
    .exitOverride()
    .configureOutput(quiet)
    .enablePositionalOptions()
    .allowExcessArguments()
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
  describe(program, rootCommand).action(() => chosen(rootCommand, program))
  const parents = new Map<string, Parser>()
  for (const [name, summary] of Object.entries(groups)) {
    const group = program.command(name).description(summary).summary(summary)
    parents.set(name, group.helpCommand(false))
  }
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    const parent = second === undefined ? program : (parents.get(first) ?? program)
    const parser = parent.command(second ?? first, {
      hidden: command.hidden === true,
      isDefault: command.isDefault === true,
    })
    // Words behind the last argument may begin with a dash there.
    if (command.hidden === true) parser.passThroughOptions().allowUnknownOption()
    describe(parser, command).action(() => chosen(command, parser))
  }
  return program
}

function describe(parser: Parser, command: Command): Parser {
  parser.description(command.summary).summary(command.summary)
  for (const [name, about] of command.arguments ?? []) parser.argument(name, about)
  for (const [flags, about] of command.options ?? []) parser.option(flags, about)
  for (const [flags, about] of commonOptions) parser.option(flags, about)
  const after = [
    ...(command.notes ?? []).map((note) => `\n${note}`),
    ...(command.examples.length > 0 ? ['\nExamples:'] : []),
    ...command.examples.map((example) => `  $ ${example}`),
  ]
  return after.length > 0 ? parser.addHelpText('after', after.join('\n')) : parser
}

/** A common option may stand before the command's name or behind it; behind it counts more. */
function mergedOptions(parser: Parser): Record<string, unknown> {
  const { json, home, cwd } = rootOf(parser).opts()
  return { json, home, cwd, ...parser.opts() }
}

const rootOf = (parser: Parser): Parser => (parser.parent === null ? parser : rootOf(parser.parent))

/** A word that a command does not take was meant for something: nothing is done without it. */
function refuseWordTooMany(command: Command, parser: Parser): void {
  const taken = parser.registeredArguments
  const extra = taken.at(-1)?.variadic === true ? undefined : parser.args[taken.length]
  if (extra === undefined) return
  const isNamed = parser.parent?.args[0] === parser.name()
  const among = parser.parent === null || isNamed || !command.isDefault ? parser : parser.parent
  if (among.commands.length > 0) suggest(among, extra)
  throw usage(
    `There is a word too many: "${extra}". Nothing was done. "reprise ${command.name} --help" says what it takes.`,
  )
}

/** The parser suggests a near command only where a word can be nothing else, so it is asked there. */
function suggest({ commands }: Parser, word: string): void {
  const bare = new Parser().exitOverride().configureOutput({ writeErr: () => {} })
  for (const command of commands) {
    if (!command.name().startsWith('_')) bare.command(command.name())
  }
  bare.parse([word], { from: 'user' })
}

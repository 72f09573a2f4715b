/**
 * The one parser: words to a command and its options, by the table of commands. What the table does not list is
 * refused with the nearest that it does, before anything is opened.
 */
import { didYouMean } from '../../lib/nearest.ts'
import { given, usage, type Command, type Given, type Program, type Row } from './command.ts'
import { described } from './described.ts'
import { commandsOf, findCommand } from './find-command.ts'
import { flagIn, specOf, specsOf, type Option, type Spec } from './option.ts'

export type Line =
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly given: Given
      /** Options that were given and change nothing. */
      readonly unused: readonly string[]
    }
  | { readonly kind: 'version' }
  /** A command, or the name of a group. */
  | { readonly kind: 'help'; readonly subject: Command | string }

export async function parse(program: Program, argv: readonly string[]): Promise<Line> {
  const { command: row, group, rest } = findCommand(program, argv)
  const command = row && (await described(row))
  if (command === undefined) return { kind: 'help', subject: onlyHelp(program, group ?? '', rest) }
  // A word that no command of the group has is the mistake, not the options behind it.
  if (group !== undefined && !rest[0]?.startsWith('-')) refuseUnknown(program, group, rest)
  const { values, words, used } = readOptions(rest, command, optionsOf(program, command))
  // Help for what there is not would be that of all there is.
  if (command === program.root && !rest[0]?.startsWith('-')) refuseWord(program, words[0], used)
  if (values['help'] === true) return { kind: 'help', subject: group ?? command }
  if (values['version'] === true) return { kind: 'version' }
  if (group !== undefined) refuseUnknown(program, group, words)
  if (command === program.root) refuseWord(program, words[0], used)
  const taken = argumentsOf(command, words)
  return { kind: 'run', command, given: given(taken, values), unused: unusedOf(command, used) }
}

/** Everything that a command takes, in the order of its help. */
export const optionsOf = (
  { common }: Program,
  { options = [], sections = [] }: Command,
): readonly Option[] => [...options, ...sections.flatMap((section) => section.options), ...common]

export const usageOf = ({ name, arguments: takes = [] }: Command): string =>
  ['reprise', name, ...takes.map(([notation]) => notation), '[options]']
    .filter((word) => word !== '')
    .join(' ')

type Read = {
  readonly values: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  /** As they were given, each once. */
  readonly used: readonly string[]
}

function readOptions(line: readonly string[], command: Command, options: readonly Option[]): Read {
  const specs = specsOf(options)
  const values: Record<string, unknown> = {}
  const words: string[] = []
  const used = new Set<string>()
  const left = [...line]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') words.push(...left.splice(0))
    // A number is a value: no option is called by one.
    else if (!/^-[^\d]/.test(word)) words.push(word)
    else {
      const { flag, attached, more: next } = flagIn(word, specs)
      if (next !== undefined) left.unshift(next)
      const spec = specs.get(flag)
      if (spec === undefined)
        throw refusal(command, `has no option ${flag}.${didYouMean(flag, specs.keys())}`)
      if (spec.how.refusal !== undefined)
        throw usage(`${flag}: ${spec.how.refusal} Nothing was started.`)
      used.add(flag)
      const more = valuesOf(spec, attached, left)
      const { name, isRepeated } = spec
      values[name] = isRepeated ? [...((values[name] as unknown[]) ?? []), ...more] : more[0]
    }
  }
  return { values, words, used: [...used] }
}

function valuesOf(spec: Spec, attached: string | undefined, left: string[]): readonly unknown[] {
  const { takes, notation, how } = spec
  if (takes === 'nothing') {
    if (attached !== undefined) throw usage(`${notation} takes no value. Nothing was done.`)
    return [how.is ?? true]
  }
  if (attached !== undefined) return [readValue(spec, attached)]
  if (takes === 'value') {
    const next = left.shift()
    if (next === undefined) throw usage(`A value is missing: ${notation}. Nothing was done.`)
    return [readValue(spec, next)]
  }
  const end = left.findIndex((word) => word.startsWith('-'))
  const most = takes === 'words' ? Infinity : 1
  const taken = left.splice(0, Math.min(end < 0 ? left.length : end, most))
  if (taken.length > 0) return taken.map((word) => readValue(spec, word))
  return takes === 'words' ? [] : [true]
}

/** What one value means, or a sentence that refuses it. */
function readValue({ notation, how: { read, wants = '' } }: Spec, text: string): unknown {
  const value = read === undefined ? text : read(text)
  if (value !== undefined) return value
  throw usage(`${notation.split(' ')[0]} wants ${wants}, not "${text}". Nothing was done.`)
}

function argumentsOf(
  command: Command,
  words: readonly string[],
): readonly (string | readonly string[] | undefined)[] {
  const takes = (command.arguments ?? []).map(([notation]) => notation)
  const missing = takes.find((notation, at) => notation.startsWith('<') && at >= words.length)
  if (missing !== undefined) throw refusal(command, `wants ${missing}.`)
  const isOpen = takes.at(-1)?.includes('...') ?? false
  const extra = isOpen ? undefined : words[takes.length]
  if (extra !== undefined) throw refusal(command, `was given a word too many: "${extra}".`)
  return takes.map((notation, at) => (notation.includes('...') ? words.slice(at) : words[at]))
}

const refusal = (command: Command, what: string) =>
  usage(
    `"${['reprise', command.name].join(' ').trim()}" ${what} Nothing was done.\nUsage: ${usageOf(command)}`,
  )

/** A word behind a group's name that is no command of it. */
function refuseUnknown(program: Program, group: string, [word]: readonly string[]): void {
  if (word === undefined) return
  const names = commandsOf(program, group).map(({ name }) => name.slice(group.length + 1))
  throw unknown(`${group} ${word}`, didYouMean(word, names), `"reprise ${group} --help"`)
}

/** `reprise` takes no word; one that it is given was meant as a command or as a message. */
function refuseWord(
  { root, commands, groups, common: options }: Program,
  word: string | undefined,
  used: readonly string[],
): void {
  if (word === undefined) return
  const names = [
    ...Object.keys(groups),
    ...commands.flatMap(({ name, hidden }) => (hidden ? [] : name)),
  ]
  const common = options.flatMap((option) => specOf(option).flags)
  const before = used.find((flag) => !common.includes(flag))
  if (names.includes(word) && before !== undefined) {
    throw usage(
      `${before} stands before the command "${word}". Nothing was done. Give the options of a command behind its name; only ${common.filter((flag) => flag.startsWith('--')).join(', ')} may stand before it.`,
    )
  }
  const meant =
    commands.find(({ name, hidden }) => !hidden && name.endsWith(` ${word}`))?.name ??
    root.options?.flatMap((option) => specOf(option).flags).find((flag) => flag === `--${word}`)
  const near = meant === undefined ? didYouMean(word, names) : ` Did you mean ${meant}?`
  throw unknown(word, near, '"reprise --help"')
}

const unknown = (word: string, near: string, help: string) =>
  usage(
    `Unknown command "${word}".${near} Nothing was done.\n${help} lists the commands; "reprise -p <text>" sends a message.`,
  )

/** A group without a command of its own can only be explained. */
function onlyHelp(program: Program, group: string, rest: readonly string[]): string {
  if (rest.includes('--help') || rest.includes('-h')) return group
  refuseUnknown(
    program,
    group,
    rest.filter((word) => !word.startsWith('-')),
  )
  throw usage(`A command is missing. "reprise ${group} --help" lists those of ${group}.`)
}

/** What "help" and these words ask about. */
export function subjectOf(program: Program, words: readonly string[]): Row | string {
  const { command, group, rest } = findCommand(program, words)
  const [extra] = rest
  if (extra !== undefined) {
    if (group !== undefined) refuseUnknown(program, group, [extra])
    refuseWord(program, extra, [])
  }
  return group ?? command ?? program.root
}

function unusedOf({ sections = [] }: Command, used: readonly string[]): string[] {
  const flags = sections
    .filter(({ isUnused }) => isUnused === true)
    .flatMap(({ options }) => options.flatMap((option) => specOf(option).flags))
  return used.filter((flag) => flags.includes(flag))
}

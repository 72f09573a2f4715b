/**
 * What was typed: a message, or a command with its arguments. Only a first word `/name` counts as a command, so that
 * `/etc/hosts is broken` is a message; behind `//` stands a message that begins with a slash. What is no command, or
 * is given wrong arguments, is refused in words.
 */
import { EngineError } from '../engine/errors.ts'
import type { Command } from './command.ts'
import { fieldsOf, namesOf, usageOf, type Field } from './fields.ts'
import { nearTo } from './did-you-mean.ts'

export type Args = Readonly<Record<string, unknown>>
export type Wanted = {
  readonly command: Command
  /** Undefined when nothing was given to a command that wants something. */
  readonly args: Args | undefined
  /** Nothing was typed behind the name. */
  readonly isBare: boolean
}
export type Typed = { readonly message: string } | Wanted

const TYPED = /^\/(\S+)(?:\s+([^]*))?$/

export function typed(table: readonly Command[], text: string): Typed {
  const given = text.trim()
  const [, first, rest = ''] = TYPED.exec(given) ?? []
  if (first === undefined) return { message: text }
  if (first.startsWith('/')) return { message: given.slice(1) }
  const { command, rest: behind } = find(table, first, rest)
  if (command?.message !== undefined) return { message: command.message(behind, text) }
  if (command !== undefined)
    return { command, args: argumentsIn(table, command, behind), isBare: behind === '' }
  if (!/^[a-z][a-z-]*$/.test(first)) return { message: text }
  throw unknown(table, first)
}

/** Two words before one: `/session info` is no `/session` with an argument. */
function find(table: readonly Command[], first: string, rest: string) {
  const [, second = '', behind = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? []
  const both = commandNamed(table, `${first} ${second}`)
  return both === undefined
    ? { command: commandNamed(table, first), rest }
    : { command: both, rest: behind }
}

/** The command that a text names, whatever follows it; undefined for a message. */
export function commandTyped(table: readonly Command[], text: string): Command | undefined {
  const [, first, rest = ''] = TYPED.exec(text.trim()) ?? []
  return first === undefined ? undefined : find(table, first, rest).command
}

export const commandNamed = (table: readonly Command[], name: string): Command | undefined =>
  table.find((command) => namesOf(command).includes(name))

/** The words that may follow a name: of its family, else what its first argument can be. */
export function wordsOf(
  table: readonly Command[],
  name: string,
): readonly (readonly [word: string, meaning: string])[] {
  const family = table.flatMap((command) =>
    namesOf(command).flatMap((each) =>
      each.startsWith(`${name} `) ? [[each.slice(name.length + 1), command.summary] as const] : [],
    ),
  )
  return family.length > 0 ? family : (commandNamed(table, name)?.choices ?? [])
}

/** The error of a name that the table does not have: the agent may know it. */
export const isUnknown = (error: unknown): error is EngineError =>
  error instanceof EngineError && 'unknown' in error.details

function unknown(table: readonly Command[], name: string): EngineError {
  const heads = new Set(table.flatMap(namesOf).map((each) => each.split(' ', 1)[0] ?? each))
  const near = nearTo(name, [...heads]).map((each) => `/${each}`)
  const hint =
    near.length === 0 ? '/help lists what there is.' : `Did you mean ${near.join(' or ')}?`
  return new EngineError(
    'invalid',
    `There is no /${name}. ${hint} As a message it is sent with //${name}.`,
    { details: { unknown: name } },
  )
}

function argumentsIn(table: readonly Command[], command: Command, text: string): Args | undefined {
  const raw = rawArguments(table, command, text)
  return Object.keys(raw).length === 0
    ? command.args.safeParse(raw).data
    : checked(command, raw, `/${command.name}`)
}

/** What was given as the schema has it; `name` is how the command was called. */
export function checked(command: Command, raw: Args, name: string): Args {
  const parsed = command.args.safeParse(raw)
  if (parsed.success) return parsed.data
  const wrongKey = String(parsed.error.issues[0]?.path[0] ?? '')
  const about = fieldsOf(command).find(({ key }) => key === wrongKey)?.about ?? ''
  const value = raw[wrongKey]
  if (value === undefined) throw lacking(command, name)
  throw refusal(command, name, `${name} wants ${wrongKey}: ${about}; not "${String(value)}".`)
}

export function lacking(command: Command, name = `/${command.name}`): EngineError {
  const wanted = fieldsOf(command).find(({ isRequired }) => isRequired)
  return refusal(command, name, `${name} wants ${wanted?.key}: ${wanted?.about}.`)
}

function rawArguments(
  table: readonly Command[],
  command: Command,
  text: string,
): Record<string, string | true> {
  const raw: Record<string, string | true> = {}
  const fields = fieldsOf(command)
  const places = fields.filter(({ place }) => place !== undefined)
  let rest = text.trim()
  while (rest !== '') {
    const [start = '', name] = /^--([a-z][a-z-]*)(?:=|(?=\s|$))/.exec(rest) ?? []
    const option = fields.find((field) => field.place === undefined && field.option === name)
    const field = option ?? places.shift()
    if (field === undefined) throw tooMuch(table, command, rest)
    const behind = option === undefined ? rest : rest.slice(start.length)
    const { value, length } = valueAt(command, field, behind)
    raw[field.key] = value
    rest = behind.slice(length).trim()
  }
  return raw
}

function valueAt(command: Command, { isFlag, takesRest, option, about }: Field, text: string) {
  if (isFlag) return { value: true as const, length: 0 }
  if (takesRest) {
    const value = text.slice(0, text.length - optionsBehind(command, text).length).trimEnd()
    return { value, length: value.length }
  }
  const [all = '', quoted, bare] = /^\s*(?:"([^"]*)"|(\S+))/.exec(text) ?? []
  const value = quoted ?? bare
  if (value === undefined)
    throw refusal(command, `/${command.name}`, `--${option} wants a value: ${about}.`)
  return { value, length: all.length }
}

/** Options that stand at the end of a text are no words of it. */
function optionsBehind(command: Command, text: string): string {
  const options = fieldsOf(command).flatMap(({ place, option, isFlag }) =>
    place === undefined ? [`--${option}${isFlag ? '' : '(?:=|\\s+)(?:"[^"]*"|\\S+)'}`] : [],
  )
  if (options.length === 0) return ''
  const one = `(?:${options.join('|')})`
  return new RegExp(`\\s${one}(?:\\s+${one})*$`).exec(text.slice(-LONGEST_OPTIONS))?.[0] ?? ''
}

/** Characters; a long text is not looked through for options. */
const LONGEST_OPTIONS = 1000

function tooMuch(table: readonly Command[], command: Command, rest: string): EngineError {
  const words = wordsOf(table, command.name).map(([word]) => word)
  const known = words.length === 0 ? 'nothing more' : words.join(', ')
  const name = `/${command.name}`
  return refusal(command, name, `${name} knows ${known}; not "${rest.split(/\s/, 1)[0]}".`)
}

const refusal = (command: Command, name: string, message: string): EngineError =>
  new EngineError('invalid', `${message} Usage: ${usageOf(command, name)}`)

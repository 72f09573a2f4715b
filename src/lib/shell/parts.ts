/** Every part of a shell command, however deep it stands: in the script, in commands that run others, in texts for `-c`. */
import type { Binding } from './bindings.ts'
import { openCommand, programOf, ranFile } from './open-command.ts'
import { readScript, type SimpleCommand } from './script.ts'
import type { Word } from './word.ts'

export type ShellParts = {
  readonly commands: readonly SimpleCommand[]
  readonly reads: readonly Word[]
  readonly writes: readonly Word[]
  readonly bindings: readonly Binding[]
  /** It runs something that cannot be told from its text, or cannot be read at all: why, in words. */
  readonly unknown: string | undefined
  /** The words of each `cd`, in the order in which they are written: paths after it start elsewhere. */
  readonly moves: readonly (string | undefined)[]
}

const MOST_NESTED = 8
const MOST_COMMANDS = 2000

export async function shellParts(text: string): Promise<ShellParts> {
  const commands: SimpleCommand[] = []
  const reads: Word[] = []
  const writes: Word[] = []
  const bindings: Binding[] = []
  let unknown: string | undefined
  const readText = async (script: string, depth: number): Promise<void> => {
    const read = depth > MOST_NESTED ? undefined : await readScript(script)
    if (read === undefined) {
      unknown ??= 'it cannot be read as a shell command'
      return
    }
    if (read.isObscure) unknown ??= 'an expansion in it may run anything'
    reads.push(...read.reads)
    writes.push(...read.writes)
    bindings.push(...read.bindings)
    for (const command of read.commands) await take(command, depth)
  }
  const take = async (command: SimpleCommand, depth: number): Promise<void> => {
    commands.push(command)
    if (commands.length > MOST_COMMANDS || depth > MOST_NESTED) {
      unknown ??= 'it has too many parts'
      return
    }
    const opened = openCommand(command)
    if (opened.isUnknown) unknown ??= `what ${sourceOf(command)} runs cannot be told`
    for (const inner of opened.commands) await take(inner, depth + 1)
    for (const script of opened.scripts) await readText(script, depth + 1)
  }
  await readText(text, 0)
  if (runsWhatItMakes(commands, writes)) unknown ??= 'it runs a file that it makes'
  return { commands, reads, writes, bindings, unknown, moves: commands.flatMap(moveOf) }
}

/** They make a file of another name or content, or have it run. */
const MAKERS: ReadonlySet<string> = new Set(
  'cp ln link mv install tee dd curl wget chmod rsync'.split(' '),
)

function runsWhatItMakes(commands: readonly SimpleCommand[], writes: readonly Word[]): boolean {
  const ran = commands.flatMap((command) => ranFile(command) ?? []).map(plainPath)
  if (ran.length === 0) return false
  const makers = commands.filter((command) => MAKERS.has(programOf(command) ?? ''))
  const made = [...writes, ...makers.flatMap(({ words }) => words.slice(1))]
  return made.some(({ value }) => value !== undefined && ran.includes(plainPath(value)))
}

const plainPath = (path: string): string => path.replace(/^(?:\.\/+)+/, '').replace(/^\w*=/, '')

export const sourceOf = ({ assignments, words }: SimpleCommand): string =>
  [...assignments, ...words].map(({ source }) => source).join(' ')

function moveOf(command: SimpleCommand): readonly (string | undefined)[] {
  const program = programOf(command)
  if (program === 'pushd' || program === 'popd') return [undefined]
  if (program !== 'cd' && program !== 'chdir') return []
  const [, target, more] = command.words
  const isPlain =
    more === undefined && target?.value !== undefined && !target.hasTilde && !target.hasPattern
  return [isPlain && !target.value.startsWith('-') ? target.value : undefined]
}

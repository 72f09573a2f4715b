/** Which command a line of words names. Options of every command may stand before its name. */
import type { Placed, Program, Row } from './command.ts'
import { flagIn, specsOf, type Spec } from './option.ts'

type Named = {
  /** Undefined when the words stop at a group that has no command of its own. */
  readonly command: Row | undefined
  /** The group, when its own name is all that was said. */
  readonly group: string | undefined
  /** All words but those of its name. */
  readonly rest: readonly string[]
}

export function findCommand(program: Program, words: readonly string[]): Named {
  const { root, commands, groups } = program
  const behindCommon = behind(specsOf(program.common))
  const first = behindCommon(words, 0)
  const name = words[first] ?? ''
  const single = commands.find((command) => command.name === name)
  if (single !== undefined)
    return { command: single, group: undefined, rest: words.toSpliced(first, 1) }
  if (!Object.hasOwn(groups, name)) return { command: root, group: undefined, rest: words }
  const second = behindCommon(words, first + 1)
  const inside = commands.find((command) => command.name === `${name} ${words[second]}`)
  const rest = words.toSpliced(first, 1)
  if (inside !== undefined)
    return { command: inside, group: undefined, rest: rest.toSpliced(second - 1, 1) }
  return { command: defaultOf(program, name), group: name, rest }
}

/** What a group does when no command of it is named. */
export const defaultOf = (program: Program, group: string): Row | undefined =>
  commandsOf(program, group).find(({ isDefault }) => isDefault === true)

export const commandsOf = ({ commands }: Program, group: string): readonly Row[] =>
  commands.filter(({ name }) => name.startsWith(`${group} `))

/** The place of the first word that is neither an option of every command nor its value. */
const behind =
  (common: ReadonlyMap<string, Spec>) =>
  (words: readonly string[], from: number): number => {
    let at = from
    for (;;) {
      const { flag, attached } = flagIn(words[at] ?? '', common)
      const spec = common.get(flag)
      if (spec === undefined) return at
      at += spec.takes === 'value' && attached === undefined ? 2 : 1
    }
  }

/** Whether its first word is a session. */
export const takesSession = ({ name, on }: Placed): boolean =>
  (on ?? (name.startsWith('sessions ') ? 'session' : 'home')) === 'session'

/** Which command a line of words names. Options of every command may stand before its name. */
import { commands, commonOptions, groups, rootCommand } from './command-table.ts'
import type { Command } from './command.ts'
import { specOf } from './option.ts'

type Named = {
  /** Undefined when the words stop at a group that has no command of its own. */
  readonly command: Command | undefined
  /** The group, when its own name is all that was said. */
  readonly group: string | undefined
  /** All words but those of its name. */
  readonly rest: readonly string[]
}

export function findCommand(words: readonly string[]): Named {
  const first = behindCommon(words, 0)
  const name = words[first] ?? ''
  const single = commands.find((command) => command.name === name)
  if (single !== undefined)
    return { command: single, group: undefined, rest: words.toSpliced(first, 1) }
  if (!Object.hasOwn(groups, name)) return { command: rootCommand, group: undefined, rest: words }
  const second = behindCommon(words, first + 1)
  const inside = commands.find((command) => command.name === `${name} ${words[second]}`)
  const rest = words.toSpliced(first, 1)
  if (inside !== undefined)
    return { command: inside, group: undefined, rest: rest.toSpliced(second - 1, 1) }
  return { command: defaultOf(name), group: name, rest }
}

/** What a group does when no command of it is named. */
export const defaultOf = (group: string): Command | undefined =>
  commandsOf(group).find(({ isDefault }) => isDefault === true)

export const commandsOf = (group: string): readonly Command[] =>
  commands.filter(({ name }) => name.startsWith(`${group} `))

const common = commonOptions.map(specOf)

/** The place of the first word that is neither an option of every command nor its value. */
function behindCommon(words: readonly string[], from: number): number {
  let at = from
  for (;;) {
    const [flag = '', value] = (words[at] ?? '').split(/=(.*)/s, 2)
    const spec = common.find(({ flags }) => flags.includes(flag))
    if (spec === undefined) return at
    at += spec.takes === 'value' && value === undefined ? 2 : 1
  }
}

/** `/help`: the list of commands, or how one is used. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { command, type Command } from './command.ts'
import { fieldsOf, namesOf, usageOf } from './fields.ts'
import { listed, type Listed } from './command-list.ts'
import { code } from './markdown.ts'
import { commandNamed, wordsOf } from './parse.ts'
import { isOffered } from './perform.ts'

export const help = command({
  name: 'help',
  summary: 'this list, or how one command is used',
  changes: 'nothing',
  on: 'home',
  args: z.object({ command: z.string().optional().describe('the name of a command') }),
  words: ['command…'],
  async run(context, { command: word }) {
    const table = context.table.filter((each) => isOffered(each, context))
    if (word === undefined) return { text: listed(table).map(row).join('\n') }
    const name = word.replace(/^\//, '')
    const found = commandNamed(table, name)
    const words = wordsOf(table, name)
    if (found === undefined && words.length === 0)
      throw new EngineError('not_found', `There is no /${name}. /help lists what there is.`)
    const family = table.filter((each) => each.name.startsWith(`${name} `))
    return { text: [...(found ? [helpOf(found)] : []), ...family.map(line)].join('\n') }
  },
  say: ({ text }) => text,
})

/** A family is one row; `/help <name>` shows its members. */
const row = ({ command: head, name, words, summary }: Listed): string =>
  fieldsOf(head).every(({ place }) => place === undefined) && words.length > 0
    ? `- ${code(`/${name} [word]`)} ${summary}`
    : line(head)

const line = (each: Command): string => `- ${code(usageOf(each))} ${each.summary}`

/** Everything that there is to know about one command, in Markdown. */
export function helpOf(each: Command): string {
  const [, ...others] = namesOf(each)
  return [
    line(each),
    ...fieldsOf(each).map(
      ({ key, option, place, about }) =>
        `  - ${code(place === undefined ? `--${option}` : key)}: ${about}`,
    ),
    ...(each.choices ?? []).map(([word, meaning]) => `  - ${code(word)}: ${meaning}`),
    ...(others.length === 0
      ? []
      : [`  - also ${others.map((name) => code(`/${name}`)).join(', ')}`]),
  ].join('\n')
}

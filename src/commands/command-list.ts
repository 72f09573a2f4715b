/** The table as lists show it: one row for each first word, with the words that may follow. */
import type { Command } from './command.ts'
import { fieldsOf, usageOf } from './fields.ts'
import { commandNamed, wordsOf } from './parse.ts'

export type Listed = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly summary: string
  /** What may follow the name, in one line; empty when nothing may. */
  readonly hint: string
  readonly words: readonly (readonly [word: string, meaning: string])[]
  readonly takesText: boolean
  readonly command: Command
}

export function listed(table: readonly Command[]): readonly Listed[] {
  const heads = new Set(table.map(({ name }) => name.split(' ', 1)[0] ?? name))
  return [...heads].flatMap((name) => {
    const command = commandNamed(table, name)
    if (command === undefined) return []
    const words = wordsOf(table, name)
    const fields = command.name === name ? fieldsOf(command) : []
    const takesWords = fields.some(({ place }) => place !== undefined)
    const usage = fields.length === 0 ? '' : usageOf(command).slice(name.length + 2)
    const family = words.map(([word]) => word).join('|')
    return [
      {
        name,
        aliases: (command.aliases ?? []).filter((each) => !each.includes(' ')),
        summary: command.summary,
        hint: takesWords ? usage : family || usage,
        words,
        takesText: fieldsOf(command).some(({ takesRest }) => takesRest),
        command,
      },
    ]
  })
}

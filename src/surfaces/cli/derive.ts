/** A command of the table as one of the command line: its schema gives arguments, options and help. */
import type { Command as Action } from '../../commands/command.ts'
import { fieldsOf, type Field } from '../../commands/fields.ts'
import { defined } from '../../lib/defined.ts'
import type { Command, Placed } from './command.ts'
import { takesSession } from './find-command.ts'
import type { Option } from './option.ts'
import { sessionArgument } from './session-argument.ts'

export async function derive(row: Placed): Promise<Command> {
  const { name, examples, notes, isDefault, endsItself, words, options = [] } = row
  const action = await row.of()
  const fields = fieldsIn(action, words)
  const others = await Promise.all(
    Object.entries(row.instead ?? {}).map(async ([flag, of]) => [flag, await of()] as const),
  )
  const byPlace = fields.filter(({ place }) => place !== undefined)
  return {
    name,
    examples,
    ...defined({ notes, isDefault, endsItself }),
    summary: sentence(action.summary),
    arguments: [
      ...(takesSession(row) ? [sessionArgument] : []),
      ...byPlace.map((field) => argumentOf(field, row)),
    ],
    options: [
      ...fields.filter(({ place }) => place === undefined).map(optionOf),
      ...others.map(([flag, other]): Option => {
        const [field] = fieldsOf(other)
        return [`--${flag}${field ? ` <${field.key}>` : ''}`, other.summary]
      }),
      ...(action.changes === 'conversation' ? [WAIT] : []),
      ...options,
    ],
    async load(given) {
      const [flag, other] = others.find(([name_]) => given.has(name_)) ?? []
      const { runPlaced } = await import('./run-placed.ts')
      const what =
        other === undefined
          ? { row, action, fields }
          : { row, action: other, fields: fieldsOf(other), flag }
      return { run: (cli) => runPlaced(cli, given, what) }
    },
  }
}

const WAIT = ['--wait <seconds>', 'how long to wait for a busy session'] as const

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** As the schema has them, with the places that the row gives them. */
function fieldsIn(action: Action, words: readonly string[] | undefined): readonly Field[] {
  if (words === undefined) return fieldsOf(action)
  const plain = words.map((word) => word.replace('!', ''))
  return fieldsOf({ ...action, words: plain }).map((field) => ({
    ...field,
    isRequired: field.isRequired || words[field.place ?? -1]?.includes('!') === true,
  }))
}

function argumentOf({ key, about, isRequired, takesRest }: Field, { join }: Placed) {
  const whole = `${key}${takesRest ? '...' : ''}`
  const reads = takesRest && join === undefined ? '; "-" reads it from stdin' : ''
  return [isRequired ? `<${whole}>` : `[${whole}]`, `${about}${reads}`] as const
}

const optionOf = ({ key, option, about, isFlag }: Field): Option => [
  isFlag ? `--${option}` : `--${option} <${key}>`,
  about,
]

/** What the schema of a command says of its arguments: which there are, how each is given, and what it is. */
import { z } from 'zod'
import type { Command } from './command.ts'

export type Field = {
  /** As the schema names it. */
  readonly key: string
  readonly about: string
  readonly isRequired: boolean
  /** By position; `takesRest`: all that is left of the line. */
  readonly place?: number
  readonly takesRest: boolean
  /** As an option, `--keep-files`. */
  readonly option: string
  /** It is there or not, and has no value. */
  readonly isFlag: boolean
}

/** Those by position first, in their order. */
export function fieldsOf({ args, words = [] }: Command): readonly Field[] {
  const fields = Object.entries(args.shape).map(([key, schema]): Field => {
    const place = words.findIndex((word) => word.replace('…', '') === key)
    const type = schema instanceof z.ZodType ? schema : z.unknown()
    return {
      key,
      about: type.description ?? '',
      isRequired: !type.safeParse(undefined).success,
      ...(place >= 0 && { place }),
      takesRest: words[place]?.endsWith('…') === true,
      option: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      isFlag: type instanceof z.ZodOptional && type.unwrap() instanceof z.ZodBoolean,
    }
  })
  return fields.sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity) || 0)
}

/** More options than these are no help in one line. */
const MOST_OPTIONS = 3

/** `/undo [turns] [--keep-files]` */
export function usageOf(command: Command, name = `/${command.name}`): string {
  const fields = fieldsOf(command)
  const isLong = fields.filter(({ place }) => place === undefined).length > MOST_OPTIONS
  const shown = isLong ? fields.filter(({ place }) => place !== undefined) : fields
  const parts = shown.map(({ place, key, option, isRequired, takesRest, isFlag }) => {
    const name = place === undefined ? `--${option}${isFlag ? '' : ` <${key}>`}` : key
    const whole = `${name}${takesRest ? '…' : ''}`
    if (isRequired) return place === undefined ? whole : `<${whole}>`
    return `[${whole}]`
  })
  return [name, ...parts, ...(isLong ? ['[options]'] : [])].join(' ')
}

export const namesOf = ({ name, aliases = [] }: Command): readonly string[] => [name, ...aliases]

/** As it is typed where messages are. */
export const slash = (name: string, rest = ''): string => `/${name} ${rest}`.trim()

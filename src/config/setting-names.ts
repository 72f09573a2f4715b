/** Which settings there are, by their dotted names, and what each wants: read off the schema of the configuration. Pure. */
import type { z } from 'zod'
import { nearest } from '../lib/nearest.ts'
import { configSchema } from './config-file.ts'

type Schema = z.core.$ZodType

/** What a name leads to. A record takes any key, one with dots in it too: `prices.gpt-4.1.input`. */
export type Setting = { readonly keys: readonly string[]; readonly schema: Schema }

export const findSetting = (name: string): Setting | undefined =>
  find(configSchema, name.split('.'), [])

function find(
  schema: Schema,
  words: readonly string[],
  keys: readonly string[],
): Setting | undefined {
  if (words.length === 0) return { keys, schema }
  for (const end of words.keys()) {
    const key = words.slice(0, end + 1).join('.')
    for (const inner of inside(schema, key)) {
      const found = find(inner, words.slice(end + 1), [...keys, key])
      if (found !== undefined) return found
    }
  }
  return undefined
}

const ANY = '<name>'

/** What lies under a key; several where it may be one thing or another. */
function inside(schema: Schema, key: string): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional') return inside(def.innerType, key)
  if (def.type === 'union') return def.options.flatMap((option) => inside(option, key))
  if (def.type === 'record')
    return keysOf(schema).some((known) => known === key || isFree(known, key))
      ? [def.valueType]
      : []
  const found = def.type === 'object' && Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
  return found === undefined ? [] : [found]
}

const isFree = (known: string, key: string) =>
  known === ANY && !/^$|^\.|\.$|\.\.|__proto__/.test(key)

function keysOf(schema: Schema): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional') return keysOf(def.innerType)
  if (def.type === 'union') return [...new Set(def.options.flatMap(keysOf))]
  if (def.type === 'object') return Object.keys(def.shape)
  if (def.type !== 'record') return []
  const { def: key } = (def.keyType as z.core.$ZodTypes)._zod
  return key.type === 'enum' ? Object.keys(key.entries) : [ANY]
}

/** All of them; `<name>` stands where any name may. */
export const settingNames = (): string[] => namesIn(configSchema)

const namesIn = (schema: Schema): string[] =>
  keysOf(schema).flatMap((key) => {
    const below = inside(schema, key === ANY ? 'x' : key).flatMap(namesIn)
    return [key, ...new Set(below.map((name) => `${key}.${name}`))]
  })

/** The setting that was meant: nearly the same name, or one that ends like it. */
export function nearestSetting(name: string): string | undefined {
  const names = settingNames()
  const last = (dotted: string) => dotted.slice(dotted.lastIndexOf('.') + 1)
  const end = nearest(
    last(name),
    names.map(last).filter((word) => word !== ANY),
  )
  return nearest(name, names) ?? names.find((each) => end !== undefined && last(each) === end)
}

/** Names in a configuration that are no settings: they do nothing there. */
export const unknownNames = (config: unknown): string[] => unknownIn(config, [configSchema], [])

function unknownIn(value: unknown, schemas: readonly Schema[], keys: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((each) => unknownIn(each, schemas.flatMap(elementsOf), keys))
  // What takes any value has no names of its own.
  if (typeof value !== 'object' || value === null || schemas.flatMap(keysOf).length === 0) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = schemas.flatMap((schema) => inside(schema, key))
    const path = [...keys, key]
    return below.length === 0 ? [path.join('.')] : unknownIn(inner, below, path)
  })
}

function elementsOf(schema: Schema): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional') return elementsOf(def.innerType)
  if (def.type === 'union') return def.options.flatMap(elementsOf)
  return def.type === 'array' ? [def.element] : []
}

/** What a value has to be, in words. */
export function wants(schema: Schema): string {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
      return wants(def.innerType)
    case 'enum':
      return `one of ${Object.keys(def.entries).join(', ')}`
    case 'number':
      return `a ${'format' in def ? 'whole ' : ''}number${boundsOf(def.checks)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return 'format' in def ? 'an address, as http://127.0.0.1:8080/v1' : textOf(def.checks)
    case 'array':
      return `a list in JSON, each ${wants(def.element)}`
    case 'union':
      return def.options.map(wants).join(', or ')
    case 'record':
      return `an object in JSON, under each name ${wants(def.valueType)}`
    case 'object':
      return `an object in JSON with ${keysOf(schema).join(', ')}`
    default:
      return 'another value'
  }
}

const checksOf = <T>(checks: readonly z.core.$ZodCheck<T>[] = []) =>
  checks.map((check) => (check as unknown as z.core.$ZodChecks)._zod.def)

function boundsOf<T>(checks: readonly z.core.$ZodCheck<T>[] | undefined): string {
  const words = checksOf(checks).flatMap((check) => {
    if (check.check === 'greater_than')
      return `${check.inclusive ? 'of at least' : 'above'} ${String(check.value)}`
    return check.check === 'less_than' ? `at most ${String(check.value)}` : []
  })
  return words.length === 0 ? '' : ` ${words.join(' and ')}`
}

const textOf = <T>(checks: readonly z.core.$ZodCheck<T>[] | undefined): string =>
  checksOf(checks).some((check) => 'prefix' in check && check.prefix === '/')
    ? 'a path that begins with /'
    : 'text'

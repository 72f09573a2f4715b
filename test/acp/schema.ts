/** Checks messages of an agent against the schema that the protocol publishes, with as much of JSON Schema as it uses. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly not?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly 'x-method'?: string
  readonly 'x-side'?: string
}

type Definitions = Readonly<Record<string, Schema>>

function definitionsOf(name: string): Definitions {
  const file = fileURLToPath(import.meta.resolve(name))
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly $defs: Definitions }).$defs
}

const published = {
  1: definitionsOf('@agentclientprotocol/sdk/schema/v1/schema.unstable.json'),
  2: definitionsOf('@agentclientprotocol/sdk/schema/v2/schema.unstable.json'),
}
export type Version = keyof typeof published

/** What is wrong, each with its place; nothing when the value fits. */
export function faults(
  value: unknown,
  schema: Schema,
  at = '',
  defs: Definitions = published[1],
): string[] {
  const inner = (each: unknown, one: Schema, place: string) => faults(each, one, place, defs)
  if (schema.$ref !== undefined)
    return inner(value, definition(schema.$ref.split('/').at(-1)!, defs), at)
  const wrong: string[] = []
  const { type } = schema
  if (type !== undefined && ![type].flat().some((each) => isOf(value, each)))
    return [`${at} is not ${String(type)}`]
  if ('const' in schema && value !== schema.const) wrong.push(`${at} is not ${schema.const}`)
  if (schema.enum && !schema.enum.includes(value)) wrong.push(`${at} is not in the list`)
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? -Infinity)) wrong.push(`${at} is too small`)
    if (value > (schema.maximum ?? Infinity)) wrong.push(`${at} is too large`)
  }
  if (typeof value === 'string' && value.length < (schema.minLength ?? 0))
    wrong.push(`${at} is too short`)
  if (Array.isArray(value) && schema.items)
    wrong.push(...value.flatMap((each, index) => inner(each, schema.items!, `${at}[${index}]`)))
  if (isObject(value)) wrong.push(...fieldFaults(value, schema, at, inner))
  for (const each of schema.allOf ?? []) wrong.push(...inner(value, each, at))
  for (const [name, each] of [
    ['oneOf', schema.oneOf],
    ['anyOf', schema.anyOf],
  ] as const) {
    if (each === undefined) continue
    const fitting = each.filter((one) => inner(value, one, at).length === 0).length
    if (fitting === 0 || (name === 'oneOf' && fitting > 1))
      wrong.push(`${at} fits ${fitting} of ${name}`)
  }
  if (schema.not && inner(value, schema.not, at).length === 0)
    wrong.push(`${at} is what it must not be`)
  return wrong
}

function fieldFaults(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  at: string,
  faultsOf: (value: unknown, schema: Schema, at: string) => string[],
): string[] {
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined)
  return [
    ...missing.map((key) => `${at}.${key} is missing`),
    ...Object.entries(value).flatMap(([key, each]) => {
      const known = schema.properties?.[key]
      if (known !== undefined) return faultsOf(each, known, `${at}.${key}`)
      const { additionalProperties: more } = schema
      return typeof more === 'object' ? faultsOf(each, more, `${at}.${key}`) : []
    }),
  ]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
}
const isOf = (value: unknown, type: string) => types[type]!(value)

function definition(name: string, defs: Definitions): Schema {
  const found = defs[name]
  if (found === undefined) throw new Error(`The schema has no ${name}.`)
  return found
}

const byMethod = (defs: Definitions, side: string, suffix: RegExp) =>
  new Map(
    Object.entries(defs).flatMap(([name, schema]) =>
      schema['x-side'] === side && schema['x-method'] !== undefined && suffix.test(name)
        ? [[schema['x-method'], schema] as const]
        : [],
    ),
  )
const responses = {
  1: byMethod(published[1], 'agent', /Response$/),
  2: byMethod(published[2], 'agent', /Response$/),
}
const requests = {
  1: byMethod(published[1], 'client', /(Request|Notification)$/),
  2: byMethod(published[2], 'client', /(Request|Notification)$/),
}

/** What is wrong with a message of the agent. `asked` is the method that it answers. */
export function messageFaults(
  message: unknown,
  asked: string | undefined,
  version: Version = 1,
): string[] {
  const defs = published[version]
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return ['no JSON-RPC 2.0']
  if (typeof message['method'] === 'string') {
    if (message['method'].startsWith('_') || message['method'] === '$/cancel_request') return []
    const schema = requests[version].get(message['method'])
    return schema === undefined
      ? [`${message['method']} is no method of a client`]
      : faults(message['params'], schema, message['method'], defs)
  }
  if ('error' in message) return faults(message['error'], definition('Error', defs), 'error', defs)
  if (asked === undefined || asked.startsWith('_')) return []
  const schema = responses[version].get(asked)
  return schema === undefined
    ? [`${asked} has no answer`]
    : faults(message['result'], schema, asked, defs)
}

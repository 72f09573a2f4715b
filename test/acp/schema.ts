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

const file = fileURLToPath(
  import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.unstable.json'),
)
const { $defs } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly $defs: Readonly<Record<string, Schema>>
}

/** What is wrong, each with its place; nothing when the value fits. */
export function faults(value: unknown, schema: Schema, at = ''): string[] {
  if (schema.$ref !== undefined)
    return faults(value, definition(schema.$ref.split('/').at(-1)!), at)
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
    wrong.push(...value.flatMap((each, index) => faults(each, schema.items!, `${at}[${index}]`)))
  if (isObject(value)) wrong.push(...fieldFaults(value, schema, at))
  for (const each of schema.allOf ?? []) wrong.push(...faults(value, each, at))
  for (const [name, each] of [
    ['oneOf', schema.oneOf],
    ['anyOf', schema.anyOf],
  ] as const) {
    if (each === undefined) continue
    const fitting = each.filter((one) => faults(value, one, at).length === 0).length
    if (fitting === 0 || (name === 'oneOf' && fitting > 1))
      wrong.push(`${at} fits ${fitting} of ${name}`)
  }
  if (schema.not && faults(value, schema.not, at).length === 0)
    wrong.push(`${at} is what it must not be`)
  return wrong
}

function fieldFaults(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  at: string,
): string[] {
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined)
  return [
    ...missing.map((key) => `${at}.${key} is missing`),
    ...Object.entries(value).flatMap(([key, each]) => {
      const known = schema.properties?.[key]
      if (known !== undefined) return faults(each, known, `${at}.${key}`)
      const { additionalProperties: more } = schema
      return typeof more === 'object' ? faults(each, more, `${at}.${key}`) : []
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

function definition(name: string): Schema {
  const found = $defs[name]
  if (found === undefined) throw new Error(`The schema has no ${name}.`)
  return found
}

const byMethod = (side: string, suffix: RegExp) =>
  new Map(
    Object.entries($defs).flatMap(([name, schema]) =>
      schema['x-side'] === side && schema['x-method'] !== undefined && suffix.test(name)
        ? [[schema['x-method'], schema] as const]
        : [],
    ),
  )
const responses = byMethod('agent', /Response$/)
const requests = byMethod('client', /(Request|Notification)$/)

/** What is wrong with a message of the agent. `asked` is the method that it answers. */
export function messageFaults(message: unknown, asked: string | undefined): string[] {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return ['no JSON-RPC 2.0']
  if (typeof message['method'] === 'string') {
    if (message['method'].startsWith('_') || message['method'] === '$/cancel_request') return []
    const schema = requests.get(message['method'])
    return schema === undefined
      ? [`${message['method']} is no method of a client`]
      : faults(message['params'], schema, message['method'])
  }
  if ('error' in message) return faults(message['error'], definition('Error'), 'error')
  if (asked === undefined || asked.startsWith('_')) return []
  const schema = responses.get(asked)
  return schema === undefined
    ? [`${asked} has no answer`]
    : faults(message['result'], schema, asked)
}

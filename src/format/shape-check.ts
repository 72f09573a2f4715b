/**
 * Turns a schema into a check that is cheap enough for every line of a large log: presence and plain
 * types, without copying a value or leaving out its unknown fields. Ranges and patterns are not looked
 * at: what another writer meant is let through, and only what our code could trip over is refused.
 */
import { z } from 'zod'

type Check = (value: unknown) => string | undefined

/** The check says what is wrong ("content: expected string"), or nothing. */
export function shapeCheck(schema: z.ZodObject): (data: unknown) => string | undefined {
  return fieldsCheck(schema)
}

function fieldsCheck(schema: z.ZodObject): Check {
  const names = Object.keys(schema.shape)
  const checks = new Map<string, Check>()
  for (const name of names) {
    const check = checkOf(schema.shape[name])
    if (check !== undefined) checks.set(name, check)
  }
  const required = names.filter((name) => checks.get(name)?.(undefined) !== undefined)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return 'expected object'
    const fields = value as Record<string, unknown>
    // By the fields that are there: a schema names many more than most events have.
    if (isSound(fields, required, checks)) return undefined
    for (const [name, check] of checks) {
      const reason = check(fields[name])
      if (reason !== undefined) return joined(name, reason)
    }
    return undefined
  }
}

function isSound(
  fields: Record<string, unknown>,
  required: readonly string[],
  checks: ReadonlyMap<string, Check>,
): boolean {
  for (const name of required) if (fields[name] === undefined) return false
  for (const name in fields) {
    if (checks.get(name)?.(fields[name]) !== undefined) return false
  }
  return true
}

/** Undefined when every value will do. */
function checkOf(schema: z.core.$ZodType | undefined): Check | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional) {
    const inner = checkOf(schema.def.innerType)
    return inner && ((value) => (value === undefined ? undefined : inner(value)))
  }
  if (schema instanceof z.ZodNullable) {
    const inner = checkOf(schema.def.innerType)
    return inner && ((value) => (value === null ? undefined : inner(value)))
  }
  if (schema instanceof z.ZodString) return isString
  if (schema instanceof z.ZodNumber) return isNumber
  if (schema instanceof z.ZodBoolean) return isBoolean
  if (schema instanceof z.ZodNull) return isNull
  if (schema instanceof z.ZodLiteral) return literalCheck(schema)
  if (schema instanceof z.ZodObject) return fieldsCheck(schema)
  if (schema instanceof z.ZodArray) return itemsCheck(checkOf(schema.def.element))
  if (schema instanceof z.ZodRecord) return valuesCheck(checkOf(schema.def.valueType))
  if (schema instanceof z.ZodDiscriminatedUnion) return variantCheck(schema)
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return undefined
  return schema && parseCheck(schema)
}

const isString: Check = (value) => (typeof value === 'string' ? undefined : 'expected string')
const isNumber: Check = (value) => (typeof value === 'number' ? undefined : 'expected number')
const isBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'expected boolean')
const isNull: Check = (value) => (value === null ? undefined : 'expected null')

function literalCheck(schema: z.ZodLiteral): Check {
  const { values } = schema
  return (value) =>
    values.has(value as never) ? undefined : `expected ${[...values].join(' or ')}`
}

function itemsCheck(item: Check | undefined): Check {
  return (value) => {
    if (!Array.isArray(value)) return 'expected array'
    if (item === undefined) return undefined
    for (let index = 0; index < value.length; index++) {
      const reason = item(value[index])
      if (reason !== undefined) return joined(String(index), reason)
    }
    return undefined
  }
}

function valuesCheck(inner: Check | undefined): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return 'expected object'
    }
    if (inner === undefined) return undefined
    // One by one: a list of all pairs of a large object takes longer than the rest of the line.
    for (const key in value) {
      const reason = inner((value as Record<string, unknown>)[key])
      if (reason !== undefined) return joined(key, reason)
    }
    return undefined
  }
}

/** A variant that we do not know passes when it names itself. */
function variantCheck(schema: z.ZodDiscriminatedUnion): Check {
  const tag = schema.def.discriminator
  const byName = new Map<unknown, Check>()
  for (const option of schema.def.options) {
    const check = checkOf(option)
    for (const name of option._zod.propValues?.[tag] ?? []) if (check) byName.set(name, check)
  }
  return (value) => {
    if (typeof value !== 'object' || value === null) return 'expected object'
    const name = (value as Record<string, unknown>)[tag]
    if (typeof name !== 'string') return joined(tag, 'expected string')
    return byName.get(name)?.(value)
  }
}

/** For what has no cheap form, such as a choice between unlike types. */
function parseCheck(schema: z.core.$ZodType): Check {
  return (value) => {
    const parsed = z.safeParse(schema, value)
    const issue = parsed.success ? undefined : parsed.error.issues[0]
    return issue && joined(issue.path.join('.'), issue.message)
  }
}

/** "toolRequests" and "0: name: expected string" give "toolRequests.0.name: expected string". */
function joined(name: string, reason: string): string {
  if (name === '') return reason
  const nested = /^([\w$.-]+): /.test(reason)
  return nested ? `${name}.${reason}` : `${name}: ${reason}`
}

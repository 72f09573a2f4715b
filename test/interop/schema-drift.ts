/** What a log holds that our schemas do not name: types, fields, and shapes that they refuse. */
import { z } from 'zod'
import { eventSchemas, isEventType, recognise } from '../../src/format/event.ts'
import type { Line } from './log-lines.ts'

export type Drift = {
  /** Types that no schema is for. */
  readonly types: ReadonlySet<string>
  /** `type field.path` that the schema of the type does not name. */
  readonly fields: ReadonlySet<string>
  /** Known types whose data our schema refuses, with the reason: these would be treated as strangers. */
  readonly refused: ReadonlySet<string>
}

export function driftOf(lines: readonly Line[]): Drift {
  const drift = { types: new Set<string>(), fields: new Set<string>(), refused: new Set<string>() }
  for (const line of lines) {
    if (!isEventType(line.type)) {
      drift.types.add(line.type)
      continue
    }
    const recognised = recognise(line)
    if (recognised.kind !== 'event') drift.refused.add(`${line.type}: ${recognised.reason}`)
    for (const path of unnamed(eventSchemas[line.type], line.data, '')) {
      drift.fields.add(`${line.type} ${path}`)
    }
  }
  return drift
}

function* unnamed(schema: z.core.$ZodType, value: unknown, path: string): Generator<string> {
  const inner = bare(schema)
  if (Array.isArray(value) && inner instanceof z.ZodArray) {
    for (const each of value) yield* unnamed(inner.def.element, each, `${path}[]`)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (inner instanceof z.ZodDiscriminatedUnion) {
    const name = (value as Record<string, unknown>)[inner.def.discriminator]
    const option = inner.def.options.find((each) =>
      each._zod.propValues?.[inner.def.discriminator]?.has(name as never),
    )
    if (option === undefined) yield `${path}(${String(name)})`
    else yield* unnamed(option, value, path)
    return
  }
  if (!(inner instanceof z.ZodObject) || inner.def.catchall instanceof z.ZodUnknown) return
  for (const [key, each] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    const field = inner.shape[key] as z.core.$ZodType | undefined
    if (field === undefined) yield at
    else yield* unnamed(field, each, at)
  }
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable
    ? bare(schema.def.innerType)
    : schema
}

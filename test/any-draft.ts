/** A draft of any known type with any data that its schema lets through. */
import * as fc from 'fast-check'
import { z } from 'zod'
import { eventSchemas, type Draft, type EventType } from '../src/format/event.ts'

/** A few words that several events may share, so that they meet. */
const words = fc.constantFrom(
  'call-1',
  'call-2',
  'turn',
  'm',
  '',
  '\ud83d',
  'delete',
  'steering',
  '🙂 text',
)
const numbers = fc.constantFrom(0, 1, 2, 1e308, Infinity)

export const anyDraft: fc.Arbitrary<Draft> = fc
  .constantFrom(...(Object.keys(eventSchemas) as EventType[]))
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      data: dataOf(eventSchemas[type]),
      agentId: fc.option(fc.constant('agent-1'), { nil: undefined, freq: 4 }),
    }),
  )
  .map(
    ({ type, data, agentId }) =>
      ({ type, data, ...(agentId !== undefined && { agentId }) }) as Draft,
  )

const known = new Map<z.core.$ZodType, fc.Arbitrary<unknown>>()

function dataOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  let arbitrary = known.get(schema)
  if (arbitrary === undefined) known.set(schema, (arbitrary = arbitraryOf(schema)))
  return arbitrary
}

function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable) return fc.option(dataOf(schema.def.innerType), { nil: null })
  if (schema instanceof z.ZodString) return words
  if (schema instanceof z.ZodNumber) return numbers
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.def.values)
  if (schema instanceof z.ZodArray) return fc.array(dataOf(schema.def.element), { maxLength: 2 })
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(words, dataOf(schema.def.valueType), { maxKeys: 2 })
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.def.options.map(dataOf))
  if (schema instanceof z.ZodObject) return fieldsOf(schema)
  return fc.jsonValue({ maxDepth: 2 })
}

function fieldsOf(schema: z.ZodObject): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.shape)
  const arbitraries = fields.map(([name, field]) => {
    const isOptional = field instanceof z.ZodExactOptional || field instanceof z.ZodOptional
    const inner = dataOf(isOptional ? field.def.innerType : field)
    const entry = inner.map((value) => [[name, value]] as const)
    return isOptional ? fc.oneof(fc.constant([] as const), entry) : entry
  })
  return fc.tuple(...arbitraries).map((entries) => Object.fromEntries(entries.flat()))
}

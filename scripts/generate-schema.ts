/** The JSON Schemas of the format, made from the schemas that the code itself uses. */
import { z } from 'zod'
import { eventSchemas } from '../src/format/event.ts'
import { noticeSchemas } from '../src/format/notice.ts'
import { workspaceFileSchema } from '../src/format/workspace-file.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** File name under `schema/` to content. Unknown fields, values and types are valid everywhere. */
export function generateSchema(): Map<string, string> {
  return new Map([
    ['events.schema.json', print('One line of events.jsonl', eventLine())],
    ['notices.schema.json', print('One notice', noticeTold())],
    ['workspace.schema.json', print('workspace.yaml', toJsonSchema(workspaceFileSchema))],
  ])
}

function eventLine(): JsonSchema {
  const envelope = {
    id: { type: 'string', minLength: 1 },
    timestamp: { type: 'string', format: 'date-time' },
    parentId: { type: ['string', 'null'] },
    agentId: { type: 'string' },
  }
  return variants(eventSchemas, envelope, ['type', 'data', 'id', 'timestamp', 'parentId'])
}

function noticeTold(): JsonSchema {
  return variants(noticeSchemas, { agentId: { type: 'string' } }, ['type', 'data'])
}

function variants(
  table: Readonly<Record<string, z.core.$ZodType>>,
  envelope: Record<string, unknown>,
  required: string[],
): JsonSchema {
  const known = Object.entries(table).map(([type, schema]) => {
    const { description, ...data } = toJsonSchema(schema)
    return {
      title: type,
      description,
      type: 'object',
      properties: { type: { const: type }, data, ...envelope },
      required,
    }
  })
  const later = {
    title: 'A type of another version or vendor',
    type: 'object',
    properties: { type: { type: 'string', not: { enum: Object.keys(table) } }, ...envelope },
    required: required.filter((name) => name !== 'data'),
  }
  return { oneOf: [...known, later] } as JsonSchema
}

function toJsonSchema(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.type === 'integer') withoutRange(jsonSchema)
      if (zodSchema instanceof z.ZodDiscriminatedUnion) withLater(zodSchema, jsonSchema)
    },
  })
  return rest
}

/** Zod writes the range of a double's integers, which says nothing about the field. */
function withoutRange(schema: JsonSchema): void {
  delete schema.minimum
  delete schema.maximum
}

function withLater(union: z.ZodDiscriminatedUnion, schema: JsonSchema): void {
  const tag = union.def.discriminator
  const names = union.def.options.flatMap((option) => [...(option._zod.propValues?.[tag] ?? [])])
  const later = {
    type: 'object',
    properties: { [tag]: { type: 'string', not: { enum: names as string[] } } },
    required: [tag],
  } as JsonSchema
  schema.oneOf?.push(later)
  schema.anyOf?.push(later)
}

const print = (title: string, schema: JsonSchema) =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }, null, 2)}\n`

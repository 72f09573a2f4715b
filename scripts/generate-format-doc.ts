/** The tables of files and of event types in docs/format.md, made from what the code itself uses. */
import { z } from 'zod'
import { eventSchemas, serialise, type Event, type EventType } from '../src/format/event.ts'
import { layout, type LayoutRow } from '../src/format/layout.ts'
import { exampleOf } from './format-examples.ts'

/** Markdown: one table for the home, one for the folder of a session, one for what lies elsewhere. */
export function layoutReference(): string {
  const { home, session, anywhere, project, cache } = layout
  return [
    '<!-- prettier-ignore-start -->',
    'Below the home:',
    filesTable(home),
    'Below the folder of a session:',
    filesTable(session),
    'In any folder of a home:',
    filesTable(anywhere),
    "Below the root of a project, and below the user's cache folder when other machines share the disk of the home:",
    filesTable({ ...project, ...cache }),
    '<!-- prettier-ignore-end -->',
  ].join('\n\n')
}

function filesTable(rows: Readonly<Record<string, LayoutRow>>): string {
  const lines = Object.values(rows).map(
    ({ path, kind, holdsText, whose, meaning }) =>
      `| ${code(path.replaceAll('|', '\\|'))} | ${kind} | ${holdsText ? 'yes' : ''} | ${whose} | ${meaning} |`,
  )
  return ['| path | kind | text | whose | |', '|---|---|---|---|---|', ...lines].join('\n')
}

/** Markdown: one heading for each type with its sentence, its fields and one example line. */
export function eventReference(): string {
  const types = Object.keys(eventSchemas) as EventType[]
  // The formatter would spread each example over many lines, which is not how a log looks.
  return `<!-- prettier-ignore-start -->\n${types.map(section).join('')}\n<!-- prettier-ignore-end -->\n`
}

function section(type: EventType): string {
  const schema: z.ZodObject = eventSchemas[type]
  const rows = Object.entries(schema.shape).map(([name, field]) => row(name, field))
  const head = '| Field | Type | Required |\n|---|---|---|\n'
  return `
### \`${type}\`

${z.globalRegistry.get(schema)?.description}

${rows.length === 0 ? 'No fields.\n' : head + rows.join('')}
\`\`\`json
${exampleLine(type)}
\`\`\`
`
}

function row(name: string, field: z.core.$ZodType): string {
  const isOptional = field instanceof z.ZodExactOptional
  const type = typeName(isOptional ? field.def.innerType : field)
  return `| ${code(name)} | ${type} | ${isOptional ? 'no' : 'yes'} |\n`
}

function typeName(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodNullable) return orNull(typeName(schema.def.innerType))
  if (schema instanceof z.ZodString) return textName(schema)
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? 'integer' : 'number'
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodArray) return arrayName(schema.def.element)
  if (schema instanceof z.ZodRecord) return 'object'
  if (schema instanceof z.ZodObject) return objectName(schema)
  if (schema instanceof z.ZodDiscriminatedUnion) return variantsName(schema)
  return 'any'
}

function orNull(name: string): string {
  const [kind, ...values] = name.split(': ')
  return [`${kind} or null`, ...values].join(': ')
}

function textName(schema: z.ZodString): string {
  const known = z.globalRegistry.get(schema)?.examples
  return Array.isArray(known) ? `string: ${known.map(code).join(', ')}` : 'string'
}

function arrayName(element: z.core.$ZodType): string {
  const inner = typeName(element)
  return inner === 'any' ? 'array' : `array of ${inner}`
}

function objectName(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(([name, field]) =>
    code(field instanceof z.ZodExactOptional ? `${name}?` : name),
  )
  return `object: ${names.join(', ')}`
}

function variantsName(schema: z.ZodDiscriminatedUnion): string {
  const tag = schema.def.discriminator
  const names = schema.def.options.flatMap((option) => [...(option._zod.propValues?.[tag] ?? [])])
  return `object by ${code(tag)}: ${names.map((name) => code(String(name))).join(', ')}`
}

const code = (word: unknown) => `\`${String(word)}\``

function exampleLine(type: EventType): string {
  return serialise({
    type,
    data: exampleOf(type),
    id: '5f0c8a52-3c1e-4b7d-9a65-0f2b7c6d1e11',
    timestamp: '2026-03-02T09:30:00.000Z',
    parentId: type === 'session.start' ? null : '1b9e4d70-6a2f-4c83-8f10-7d5e2a9c4b60',
  } as unknown as Event)
}

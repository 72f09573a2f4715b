/** What is generated from the schemas says what the code does. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { exampleOf } from '../scripts/format-examples.ts'
import { eventReference } from '../scripts/generate-format-doc.ts'
import { generateSchema } from '../scripts/generate-schema.ts'
import { eventSchemas, recognise, type EventType } from '../src/format/event.ts'
import { noticeSchemas } from '../src/format/notice.ts'

const types = Object.keys(eventSchemas) as EventType[]

test('every example satisfies the whole schema, not only the cheap check', () => {
  for (const type of types) {
    assert.deepEqual(eventSchemas[type].parse(exampleOf(type)), exampleOf(type))
  }
})

test('the reference has one heading and one recognised line for each type', () => {
  const reference = eventReference()
  const headings = [...reference.matchAll(/^### `(.+)`$/gm)].map(([, type]) => type)
  const lines = [...reference.matchAll(/^```json\n(.+)\n```$/gm)].map(([, line]) =>
    JSON.parse(line!),
  )
  assert.deepEqual(headings, types)
  assert.deepEqual(
    lines.map((line) => [line.type, recognise(line).kind]),
    types.map((type) => [type, 'event']),
  )
})

test('every type has a sentence of its own', () => {
  const sentences = [...eventReference().matchAll(/^### .+\n\n(.+)$/gm)].map(([, each]) => each)
  assert.equal(new Set(sentences).size, types.length)
  for (const sentence of sentences) assert.match(sentence!, /^[A-Z].+[.]$/)
})

test('the JSON Schemas name every type and leave room for others', () => {
  const schemas = generateSchema()
  assert.deepEqual(
    [...schemas.keys()],
    ['events.schema.json', 'notices.schema.json', 'workspace.schema.json'],
  )
  const branches = (name: string): { properties: { type: unknown } }[] =>
    JSON.parse(schemas.get(name)!).oneOf
  const expected = (table: object) => [
    ...Object.keys(table).map((type) => ({ const: type })),
    { type: 'string', not: { enum: Object.keys(table) } },
  ]
  assert.deepEqual(
    branches('events.schema.json').map((branch) => branch.properties.type),
    expected(eventSchemas),
  )
  assert.deepEqual(
    branches('notices.schema.json').map((branch) => branch.properties.type),
    expected(noticeSchemas),
  )
})

test('no JSON Schema forbids a field that it does not know', () => {
  for (const content of generateSchema().values()) {
    assert.doesNotMatch(content, /"additionalProperties": false/)
  }
})

test('a closed list of shapes is open in the JSON Schema', () => {
  const schema = JSON.parse(generateSchema().get('events.schema.json')!)
  const completed = schema.oneOf.find(
    (branch: { title: string }) => branch.title === 'permission.completed',
  )
  assert.deepEqual(completed.properties.data.properties.result.oneOf.at(-1).required, ['kind'])
})

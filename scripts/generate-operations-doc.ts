/** The table of docs/operations.md, from the rows that every wire is derived from. */
import { z } from 'zod'
import { grid } from './generate-live-doc.ts'
import { operationNames, rowOf } from '../src/engine/operations/table.ts'

export const operationReference = (): string =>
  grid(
    ['operation', 'does', 'takes', 'who may', 'answered by'],
    operationNames.map((name) => {
      const { summary, takes, may, where, orCopy } = rowOf(name)
      const by = orCopy === true ? `${where}, else the copy` : where
      return [`\`${name}\``, summary, parameters(takes), may.join(', '), by]
    }),
  )

/** Names; those that may be left out with a question mark. */
function parameters(takes: z.ZodType): string {
  const schema = z.toJSONSchema(takes, { io: 'input', unrepresentable: 'any' })
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties).map((name) =>
    required.includes(name) ? `\`${name}\`` : `\`${name}?\``,
  )
  if (names.length > 0) return names.join(', ')
  return schema.allOf === undefined ? '–' : '`prompt`, a time'
}

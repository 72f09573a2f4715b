/** The reference of all methods as Markdown and as JSON Schema, from the table that the server itself is made of. */
import { z } from 'zod'
import type { Method } from '../src/surfaces/rpc/method.ts'
import { methods } from '../src/surfaces/rpc/methods.ts'

export function protocolReference(): string {
  const groups = new Map<string, [string, Method][]>()
  for (const [name, method] of Object.entries(methods)) {
    // These stand in docs/operations.md.
    if (name.startsWith('reprise.session.')) continue
    const group = groupOf(name)
    groups.set(group, [...(groups.get(group) ?? []), [name, method]])
  }
  return [...groups]
    .map(([group, members]) => {
      const rows = members.map(([name, method]) => [
        `\`${name}\``,
        parameters(method),
        method.summary,
      ])
      return `### ${group}\n\n${table(['method', 'parameters', 'what it does'], rows)}`
    })
    .join('\n\n')
}

/** By name, what each method takes. Fields that are not named are let through. */
export function rpcSchema(): string {
  const described = Object.entries(methods).map(([name, { summary, params }]) => [
    name,
    { description: summary, params: toSchema(params) },
  ])
  const whole = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Parameters of the JSON-RPC methods',
    methods: Object.fromEntries(described) as Record<string, unknown>,
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

const groupOf = (name: string): string => {
  const parts = name.split('.')
  if (parts.length === 3) return `${parts[0]}.${parts[1]}`
  return parts[0] === 'session' || parts[0] === 'sessions' ? parts[0] : 'server'
}

type ObjectSchema = { properties?: Record<string, unknown>; required?: string[] }

function parameters({ params }: Method): string {
  const { properties = {}, required = [] } = toSchema(params) as ObjectSchema
  const names = Object.keys(properties).map((name) =>
    required.includes(name) ? `\`${name}\`` : `\`${name}?\``,
  )
  return names.length === 0 ? '–' : names.join(', ')
}

function toSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

/** Columns padded as the formatter pads them, so that a generated document is a formatted one. */
function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const all = [head, ...body].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, at) => Math.max(3, ...all.map((row) => (row[at] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(all[0] ?? []), rule, ...all.slice(1).map(line)].join('\n')
}

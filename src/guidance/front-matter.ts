/** The fields between two lines of dashes at the start of a Markdown file, and what stands below them. */
import { parse } from 'yaml'

type FrontMatter = {
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
}

export function frontMatter(text: string): FrontMatter {
  const [all = '', head] = /^---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  if (head === undefined) return { fields: {}, body: text.trim() }
  return { fields: fieldsIn(head), body: text.slice(all.length).trim() }
}

function fieldsIn(head: string): FrontMatter['fields'] {
  try {
    const value: unknown = parse(head, { schema: 'core', maxAliasCount: 0, logLevel: 'error' })
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as FrontMatter['fields'])
      : {}
  } catch {
    // A file with fields that cannot be read still has its text.
    return {}
  }
}

export const textField = ({ fields }: FrontMatter, name: string): string | undefined => {
  const value = fields[name]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text
}

/** A list, or a text with commas. Undefined when nothing is said. */
export function listField({ fields }: FrontMatter, name: string): readonly string[] | undefined {
  const value = fields[name]
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string')
  if (typeof value !== 'string') return undefined
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

export const flagField = ({ fields }: FrontMatter, name: string): boolean | undefined => {
  const value = fields[name]
  return typeof value === 'boolean' ? value : undefined
}

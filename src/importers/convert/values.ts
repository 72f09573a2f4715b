/** Small readings of values that other agents write. */
import { fieldsOf, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Picture } from './import-drafts.ts'

/** The text of a content that is a string or a list of parts with `text`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => textIn(part, 'text'))
    .filter((text) => text !== undefined)
    .join('\n')
}

/** `data:image/png;base64,…` */
export function pictureOfUrl(url: unknown): Picture | undefined {
  if (typeof url !== 'string') return undefined
  const [, mimeType, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? []
  return mimeType === undefined || data === undefined ? undefined : { mimeType, data }
}

/** Anthropic's `{ type: 'image', source: { type: 'base64', … } }`. */
export function anthropicPictures(content: unknown): Picture[] {
  return objectsOf(content).flatMap((part) => {
    if (part['type'] !== 'image') return []
    const source = fieldsOf(part['source'])
    const data = textIn(source, 'data')
    return data === undefined
      ? []
      : [{ mimeType: textIn(source, 'media_type') ?? 'image/png', data }]
  })
}

/** `{ type: 'image', data, mimeType }`, as tool servers have them. */
export const plainPictures = (parts: readonly Fields[]): Picture[] =>
  parts.flatMap((part) => {
    const data = textIn(part, 'data')
    return part['type'] !== 'image' || data === undefined
      ? []
      : [{ mimeType: textIn(part, 'mimeType') ?? 'image/png', data }]
  })

/** A JSON text as its value; a text that is none as it is. */
export function parsedText(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON is an argument by itself, as that of a patch.
    return text
  }
}

/** Milliseconds, seconds or an ISO text. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const ms = value < 1e11 ? value * 1000 : value
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

export const numberIn = (fields: Fields, key: string): number | undefined => {
  const value = fields[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Tokens are whole numbers. */
export const tokensIn = (fields: Fields, key: string): number | undefined => {
  const value = numberIn(fields, key)
  return value === undefined || value < 0 ? undefined : Math.round(value)
}

/** A value as a text for people: a text as it is, anything else as JSON. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return JSON.stringify(value)
}

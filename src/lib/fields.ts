/**
 * JSON objects of others, as they came. They have fields that no schema knows, and what is not known is kept: so
 * nothing is parsed into types, single fields are looked at where they are needed.
 */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object, empty when it is something else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The objects of a list; anything else in it is left out. */
export const objectsOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : []

export const textIn = (fields: Fields, key: string): string | undefined => {
  const value = fields[key]
  return typeof value === 'string' ? value : undefined
}

export const countIn = (fields: Fields, key: string): number | undefined => {
  const value = fields[key]
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

export const listIn = (fields: Fields, key: string): readonly Fields[] => objectsOf(fields[key])

/** What is there besides the fields that are known. */
export function without(fields: Fields, ...known: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => !known.includes(key) && value !== undefined),
  )
}

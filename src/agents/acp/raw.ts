/**
 * What an agent sends, as it came. Agents send fields that no schema knows, and what is not known is kept: so nothing
 * is parsed into types here, single fields are looked at where they are needed.
 */
export type Raw = Readonly<Record<string, unknown>>

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object, empty when it is something else. */
export const rawOf = (value: unknown): Raw => (isRaw(value) ? value : {})

export const textIn = (raw: Raw, key: string): string | undefined => {
  const value = raw[key]
  return typeof value === 'string' ? value : undefined
}

export const countIn = (raw: Raw, key: string): number | undefined => {
  const value = raw[key]
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** The objects of a list; anything else in it is left out. */
export const listIn = (raw: Raw, key: string): readonly Raw[] => {
  const value = raw[key]
  return Array.isArray(value) ? value.filter(isRaw) : []
}

/** What is there besides the fields that are known. */
export function without(raw: Raw, ...known: readonly string[]): Raw {
  return Object.fromEntries(
    Object.entries(raw).filter(([key, value]) => !known.includes(key) && value !== undefined),
  )
}

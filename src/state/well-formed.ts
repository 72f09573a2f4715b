/** Any JSON value without lone surrogates and not deeper than programs can print. */
const DEEPEST = 64

/** The same value when nothing had to be replaced. */
export function wellFormed<T>(value: T): T {
  return mend(value, 0) as T
}

function mend(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '[nested too deep]'
  return Array.isArray(value) ? mendItems(value, depth) : mendFields(value, depth)
}

function mendItems(items: readonly unknown[], depth: number): unknown {
  const mended = items.map((item) => mend(item, depth + 1))
  return mended.some((item, index) => item !== items[index]) ? mended : items
}

function mendFields(value: object, depth: number): unknown {
  let changed = false
  const entries = Object.entries(value).map(([key, inner]) => {
    const entry = [key.toWellFormed(), mend(inner, depth + 1)] as const
    changed ||= entry[0] !== key || entry[1] !== inner
    return entry
  })
  return changed ? Object.fromEntries(entries) : value
}

/**
 * Cuts what is nested deeper than a program can follow: JSON.parse reads any depth, and everything that goes through the
 * value afterwards, JSON.stringify included, would run out of stack. Changes the value that it is given.
 */
export function limitDepth(value: unknown, most: number): void {
  let level = isContainer(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    const inside: Container[] = []
    for (const container of level) {
      for (const key in container) {
        const each = container[key]
        if (!isContainer(each)) continue
        if (depth < most) inside.push(each)
        else container[key] = `[nested more than ${most} levels deep]`
      }
    }
    level = inside
  }
}

/** Nothing that people or programs write comes near. */
const DEEPEST = 1000

/** The value of a text of JSON that anybody may have written. Throws as JSON.parse does. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // One sign opens a level and one closes it.
  if (text.length > 2 * DEEPEST) limitDepth(value, DEEPEST)
  return value
}

type Container = Record<string, unknown>

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null

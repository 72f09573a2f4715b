/** Numbers drawn by a seed, so that a failure can be drawn again. */
export type Random = {
  /** From 0 up to and without `below`. */
  next(below: number): number
  text(length: number, signs: string): string
  pick<T>(items: readonly T[]): T
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
  return {
    next,
    text: (length, signs) => Array.from({ length }, () => signs[next(signs.length)]).join(''),
    pick: (items) => items[next(items.length)]!,
  }
}

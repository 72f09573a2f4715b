/** What one part of the torture gets, and what it owes. */
import type { Random } from '../crash/kill-rounds.ts'

export type Part = {
  readonly name: string
  /** Of the whole time, in relation to the other parts. */
  readonly share: number
  /** Why it cannot run on this machine, or false. */
  readonly cannot: string | false
  /** Goes on until the time is over or nothing is left to try. Throws when something is lost. */
  run(trial: Trial): Promise<void>
}

export type Trial = {
  /** A folder of its own, removed afterwards. */
  readonly folder: string
  readonly random: Random
  hasTime(): boolean
  /** Adds to a figure that is printed at the end. */
  count(figure: string, by?: number): void
}

/** Every item once, spread so that a part which runs out of time has tried some everywhere. */
export function* spread<T>(items: ArrayLike<T>): Generator<T> {
  const { length } = items
  let step = Math.max(1, Math.floor(length * 0.618))
  while (gcd(step, length) !== 1) step += 1
  for (let turn = 0, at = 0; turn < length; turn += 1, at = (at + step) % length)
    yield items[at] as T
}

const gcd = (one: number, other: number): number => (other === 0 ? one : gcd(other, one % other))

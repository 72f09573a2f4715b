/** Codes may be guessed at only so often: per address and minute, whatever is tried. */
import { ControlError } from '../control-error.ts'

const MOST = 30
const WINDOW_MS = 60_000

/** Counts a try; what it gives takes the try back: it was none, the code was right. */
export type Tried = (address: string) => () => void

export function createTries(now: () => number): Tried {
  const counts = new Map<string, { count: number; ends: number }>()
  return (address) => {
    const at = now()
    for (const [key, { ends }] of counts) if (ends <= at) counts.delete(key)
    const found = counts.get(address) ?? { count: 0, ends: at + WINDOW_MS }
    found.count += 1
    counts.set(address, found)
    if (found.count > MOST)
      throw new ControlError('slow_down', 'Too many tries. Nothing was looked at; wait a minute.')
    return () => void (found.count -= 1)
  }
}

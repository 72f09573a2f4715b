/**
 * Lets others in between the pieces of long work on the thread that also serves them: when a little was done, a rest of
 * twice its time follows, so that an answer that needs many short steps waits for few pieces and not for one at each
 * step. While a caller waits for the work itself there are no rests.
 */
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises'

/** Not felt by a person or by a program that waits. */
const WORK_MS = 8
/** A piece that took longer was held up itself, by a busy machine. */
const LONGEST_REST_MS = 80

/** To be called between pieces. */
export type Breathe = () => Promise<void>

export function createBreather(isHurried: () => boolean): Breathe {
  let sinceMs = performance.now()
  return async () => {
    const workedMs = performance.now() - sinceMs
    if (workedMs < WORK_MS) return
    if (isHurried()) await nextRound()
    else await pause(Math.min(2 * workedMs, LONGEST_REST_MS))
    sinceMs = performance.now()
  }
}

/**
 * Some agents answer a load while they still replay. What comes behind the answer belongs to the replay, and not to the
 * turn that is next: it is over when nothing has come for a while, a longer one as long as something is missing.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Fields } from '../../lib/fields.ts'

/** Behind a replay that has all that was looked for there may be an update more. */
const LAST_MS = 60

export async function untilReplayed(
  updates: readonly Fields[],
  isMissing: () => boolean,
  replayMs: number,
): Promise<void> {
  let [count, heard, patience] = [-1, 0, LAST_MS]
  for (;;) {
    if (updates.length !== count) {
      ;[count, heard] = [updates.length, performance.now()]
      patience = isMissing() ? replayMs : LAST_MS
    }
    const left = heard + patience - performance.now()
    if (left <= 0) return
    await pause(Math.min(left, LAST_MS))
  }
}

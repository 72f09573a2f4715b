/** Tries again what the disk refuses, at growing intervals, until it passes, has lasted too long, or cannot pass any more. */
import { deferred } from '../lib/deferred.ts'

export type Trouble = {
  readonly error: Error
  readonly attempt: number
  readonly retryInMs: number
}

export type PatienceLimits = {
  readonly firstRetryMs: number
  readonly maxRetryMs: number
  /** For how long trouble is borne, from its first sign; then the caller is told. */
  readonly giveUpMs: number
}

interface Patience {
  /** True when it passed after trouble. Rejects with the last error. */
  keepTrying(work: () => Promise<void>, isHopeless: (error: Error) => boolean): Promise<boolean>
  /** From now on nothing is tried twice. */
  stop(): void
  /** What is being tried again is tried once more, and no longer. Without trouble nothing changes. */
  hurry(): void
}

export function openPatience(
  { firstRetryMs, maxRetryMs, giveUpMs }: PatienceLimits,
  onTrouble: (trouble: Trouble) => void,
): Patience {
  let isPatient = true
  let isHurried = false
  /** Ends the pause between two attempts. */
  let wake: (() => void) | undefined

  async function pause(ms: number): Promise<void> {
    if (!isPatient) return
    const { promise, resolve } = deferred<void>()
    const timer = setTimeout(resolve, ms)
    wake = resolve
    await promise
    wake = undefined
    clearTimeout(timer)
  }

  return {
    async keepTrying(work, isHopeless) {
      let giveUpAt = Infinity
      for (let attempt = 1; ; attempt++) {
        const isLast = !isPatient || isHurried || performance.now() >= giveUpAt
        try {
          await work()
          isHurried = false
          return attempt > 1
        } catch (cause) {
          const error = cause instanceof Error ? cause : new Error(String(cause))
          if (isLast || isHopeless(error)) throw error
          const now = performance.now()
          giveUpAt = Math.min(giveUpAt, now + giveUpMs)
          const longest = Math.min(maxRetryMs, giveUpAt - now)
          const doublings = Math.min(attempt - 1, 30)
          const retryInMs = Math.ceil(Math.min(firstRetryMs * 2 ** doublings, longest))
          onTrouble({ error, attempt, retryInMs })
          await pause(retryInMs)
        }
      }
    },
    stop() {
      isPatient = false
      wake?.()
    },
    hurry() {
      if (wake === undefined) return
      isHurried = true
      wake()
    },
  }
}

/** Sends prompts of a session at the times that were set for them, while it is open in the server. */
import type { Session } from '../../engine/session.ts'
import type { ScheduledPrompt } from '../../engine/turn/schedules.ts'

/** Resolves when it is in the log or waits behind a turn; `ended` when it was answered. */
export type SendScheduled = (
  entry: ScheduledPrompt,
) => Promise<{ readonly ended: Promise<unknown> }>

export interface ScheduleTimers {
  /** Sets the clock by what the log says now. */
  align(): Promise<void>
  end(): void
}

/** No timer of Node runs longer. */
const LONGEST_MS = 2 ** 31 - 1

export function createScheduleTimers(
  opsOf: () => Session,
  send: SendScheduled,
  warn: (message: string) => void,
): ScheduleTimers {
  const timers = new Map<number, NodeJS.Timeout>()
  /** Being sent: no clock is set for them meanwhile. */
  const sending = new Set<number>()
  let isEnded = false

  const clear = () => {
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
  }

  async function due(entry: ScheduledPrompt): Promise<void> {
    timers.delete(entry.id)
    try {
      if (entry.nextMs > Date.now()) return await timersOf.align()
      sending.add(entry.id)
      const { ended } = await send(entry)
      if (!entry.recurring) await opsOf().schedules.stop(entry.id)
      // One without a cadence is given its next time until it is answered.
      if (entry.selfPaced === true) await endOf(entry, ended)
    } catch (error) {
      warn(`Prompt #${entry.id} could not be sent: ${String(error)}`)
    } finally {
      sending.delete(entry.id)
    }
    await timersOf.align()
  }

  async function endOf({ id, nextMs }: ScheduledPrompt, ended: Promise<unknown>): Promise<void> {
    const { schedules } = opsOf()
    await ended.catch(() => {}) // the log tells how the turn ended
    const now = (await schedules.list()).find((each) => each.id === id)
    if (now?.nextMs === nextMs) await schedules.stop(id)
  }

  const timersOf: ScheduleTimers = {
    async align() {
      const entries = await opsOf().schedules.list()
      clear()
      if (isEnded) return
      for (const entry of entries) {
        if (sending.has(entry.id)) continue
        const ms = Math.min(Math.max(0, entry.nextMs - Date.now()), LONGEST_MS)
        const timer = setTimeout(() => void due(entry).catch(() => {}), ms) // the session was closed meanwhile
        timer.unref()
        timers.set(entry.id, timer)
      }
    },
    end() {
      isEnded = true
      clear()
    },
  }
  return timersOf
}

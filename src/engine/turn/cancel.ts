/** Stops the running turn. What it had open is settled, and the history stays valid. */
import type { LiveSession } from '../live/live-session.ts'
import type { CancelReason } from './message.ts'
import { advance } from './acquire-session.ts'
import { clearQueue } from './queue.ts'

export type CancelOptions = {
  /** What becomes of messages that wait: kept until a person lets them go on (the default), withdrawn, or sent next. */
  readonly queue?: 'hold' | 'clear' | 'go-on'
  readonly reason?: CancelReason
}

/** False when nothing was running. */
export function cancel(
  session: LiveSession,
  { queue = 'hold', reason = 'user_initiated' }: CancelOptions = {},
): boolean {
  if (queue === 'clear') clearQueue(session)
  const { running } = session.work
  if (running === undefined || !advance(session, 'cancel')) return false
  running.reason = reason
  running.afterCancel = queue === 'hold' ? 'hold' : 'go-on'
  running.abort.abort()
  // Who stops a turn does not wait for a disk that refuses.
  session.writing.writer?.log.hurry()
  return true
}

/** Stops the running turn. What it had open is settled, and the history stays valid. */
import type { LiveSession, RunningTurn } from '../live/live-session.ts'

/** False when nothing was running. */
export function cancel(
  session: LiveSession,
  reason: RunningTurn['reason'] = 'user_initiated',
): boolean {
  const { running } = session
  if (running === undefined) return false
  running.reason = reason
  running.abort.abort()
  return true
}

/**
 * Ends, leases and limits of a day are told by the clock of a node. Nodes of one database whose clocks differ would
 * take each other's for over, so that a node whose clock is wrong does not serve.
 */
import { ControlError } from './control-error.ts'
import type { Database } from './database/port.ts'

/** Less than any lease. */
const MOST_MS = 10_000

export async function checkClock(db: Database, now: () => number): Promise<void> {
  const began = now()
  const there = await db.clock()
  // Somewhere in between it was asked.
  const ended = now()
  const differs = Math.max(began - there, there - ended)
  if (differs <= MOST_MS) return
  throw new ControlError(
    'unavailable',
    `The clock of this machine and that of the database differ by ${Math.round(differs / 1000)} s. Nothing was done; set the clock that is wrong, and start again.`,
  )
}

/**
 * Folds a log into the state of its session, event by event. Pure: the same log gives the same value, wherever it was
 * stopped and begun again.
 */
import { close, open, type Accumulator } from './accumulator.ts'
import { pointWhileFolding, type FoldPoint } from './fold-points.ts'
import { applyRule, isStranger, type Placed } from './positioned-event.ts'
import { initialState, type SessionState } from './session-state.ts'
import { stateRules } from './state-rules.ts'

/** Goes up whenever the same log would fold to another value; snapshots of other versions are ignored. */
export const STATE_VERSION = 14

export interface Folder {
  push(record: Placed): void
  /** The state now. It does not change when more is pushed. */
  state(): SessionState
  /** The point of the state now, at a cost that does not grow with the log. */
  point(): FoldPoint
}

/** Folds in place, at a constant cost for each event. */
export function createFolder(from: SessionState = initialState): Folder {
  const accumulator = open(from)
  let closed: SessionState | undefined
  return {
    push(record) {
      closed = undefined
      advance(accumulator, record)
    },
    state: () => (closed ??= close(accumulator)),
    point: () => pointWhileFolding(accumulator),
  }
}

function advance(accumulator: Accumulator, record: Placed): void {
  const { event, end } = record
  if (isStranger(event)) accumulator.strangerCount++
  else applyRule(stateRules, accumulator, event, record)
  accumulator.lastEventId = event.id
  accumulator.lastTimestamp = event.timestamp
  accumulator.eventCount++
  accumulator.size = end
}

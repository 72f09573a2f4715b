/** The state after one more event. */
import { createFolder } from '../../src/state/fold.ts'
import type { Placed } from '../../src/state/positioned-event.ts'
import type { SessionState } from '../../src/state/session-state.ts'

/** A folder for each event, so that every state is opened and closed. */
export function evolve(state: SessionState, record: Placed): SessionState {
  const folder = createFolder(state)
  folder.push(record)
  return folder.state()
}

/** In autopilot an agent that can say when it is done is asked to go on until it says so, within a limit. */
import type { Agent } from '../agent.ts'
import { modeOf, stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'

const MOST_ROUNDS = 20

/** What to say next; undefined when the turn is over. */
export function goOn(agent: Agent, session: LiveSession, round: number): string | undefined {
  const { taskDone } = stateOf(session)
  if (modeOf(session) !== 'autopilot' || agent.completesTasks !== true || taskDone) return undefined
  if (round + 1 >= MOST_ROUNDS) return undefined
  return 'Go on with the task. When it is done, or cannot be done, say so with the tool task_complete.'
}

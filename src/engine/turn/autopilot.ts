/** In autopilot an agent that can say when it is done is asked to go on until it says so, within a limit. */
import type { Agent } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { modeOf, stateOf, type LiveSession } from '../live/live-session.ts'

const MOST_CONTINUES = 19

/** What to say next; undefined when the turn is over. `round`: how often it was said. */
export function goOn(
  { mostContinues = MOST_CONTINUES }: Pick<EngineContext, 'mostContinues'>,
  agent: Agent,
  session: LiveSession,
  round: number,
): string | undefined {
  const { taskDone } = stateOf(session)
  if (modeOf(session) !== 'autopilot' || agent.completesTasks !== true || taskDone) return undefined
  if (round >= mostContinues) return undefined
  return 'Go on with the task. When it is done, or cannot be done, say so with the tool task_complete.'
}

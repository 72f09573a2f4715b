/** The agent that answers in a session: the one that a person chose for it, else the one that it had, else the default. */
import type { Agent } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'

/** Chosen with the first turn and kept for as long as the session is open. */
export async function answering(engine: EngineContext, session: LiveSession): Promise<Agent> {
  if (engine.broken !== undefined) throw new EngineError('invalid', engine.broken)
  if (session.agent !== undefined) return session.agent
  const chosen = (session.chosen ??= engine.agents.choose(stateOf(session).answeredBy))
  try {
    return await chosen
  } catch (error) {
    // The next turn chooses again: what was missing may be there by then.
    if (session.chosen === chosen) session.chosen = undefined
    throw error
  }
}

/** For what is only told: how much fits into its window. */
export const answeringIfAny = (
  engine: EngineContext,
  session: LiveSession,
): Promise<Agent | undefined> =>
  // Nothing that is only told fails because no agent can be had; a turn says why.
  answering(engine, session).catch(() => undefined)

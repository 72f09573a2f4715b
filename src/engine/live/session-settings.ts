/** Who answers and how: the agent, the model and the mode of a session, recorded when they change. */
import { defined } from '../../lib/defined.ts'
import type { Agent } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import type { Mode } from '../turn/message.ts'
import { requireIdle, type LiveSession } from './live-session.ts'
import { commitOrWait, stateWithUnwritten } from './pending-events.ts'

export type ModelChoice = { readonly model: string; readonly reasoningEffort?: string }

export async function setModel(
  engine: EngineContext,
  session: LiveSession,
  { model, reasoningEffort }: ModelChoice,
): Promise<void> {
  const now = stateWithUnwritten(session)
  if (
    now.model === model &&
    (reasoningEffort === undefined || now.reasoningEffort === reasoningEffort)
  )
    return
  await commitOrWait(engine, session, {
    type: 'session.model_change',
    data: {
      newModel: model,
      ...defined({
        previousModel: now.model,
        previousReasoningEffort: now.reasoningEffort,
        reasoningEffort,
      }),
    },
  })
}

export async function setMode(
  engine: EngineContext,
  session: LiveSession,
  mode: Mode,
): Promise<void> {
  const { mode: previousMode } = stateWithUnwritten(session)
  if (previousMode === mode) return
  await commitOrWait(engine, session, {
    type: 'session.mode_changed',
    data: { previousMode, newMode: mode },
  })
}

/**
 * Another agent answers from the next message on; it is given the history. The choice holds for this life of the
 * session: nothing in a log ever starts a program. The agent is closed with the session.
 */
export async function setAgent(
  engine: EngineContext,
  session: LiveSession,
  agent: Agent,
): Promise<void> {
  requireIdle(session, 'change the agent')
  const { agent: previous } = session
  await commitOrWait(engine, session, {
    type: 'session.info',
    data: {
      infoType: 'agent_changed',
      message: `${agent.name} answers from here on.`,
      reprise: { agent: agent.name },
    },
  })
  session.agent = agent
  await previous?.close?.()
}

/** Whether people may act in it from afar. */
export const setSteerable = (
  engine: EngineContext,
  session: LiveSession,
  remoteSteerable: boolean,
): Promise<void> =>
  commitOrWait(engine, session, {
    type: 'session.remote_steerable_changed',
    data: { remoteSteerable },
  })

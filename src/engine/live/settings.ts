/** Who answers and how: the agent, the model and the mode of a session, recorded when they change. */
import type { Draft } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { Agent } from '../agent.ts'
import { commit } from './commit.ts'
import type { EngineContext } from '../context.ts'
import { requireIdle, stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'

export type ModelChoice = { readonly model: string; readonly reasoningEffort?: string }
export type Mode = 'interactive' | 'plan' | 'autopilot'

export async function setModel(
  engine: EngineContext,
  session: LiveSession,
  { model, reasoningEffort }: ModelChoice,
): Promise<void> {
  const now = stateOf(session)
  if (
    now.model === model &&
    (reasoningEffort === undefined || now.reasoningEffort === reasoningEffort)
  )
    return
  await record(engine, session, {
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
  const { mode: previousMode } = stateOf(session)
  if (previousMode === mode) return
  await record(engine, session, {
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
  await record(engine, session, {
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
  record(engine, session, { type: 'session.remote_steerable_changed', data: { remoteSteerable } })

/** A choice made before the first message waits with it: it alone makes no log. */
async function record(engine: EngineContext, session: LiveSession, draft: Draft): Promise<void> {
  const { opening } = session.written
  if (session.written.hasLog || opening === undefined) {
    await commit(engine, session, [draft])
    return
  }
  session.written.opening = (...given) => [...opening(...given), draft]
}

/**
 * Keeps a conversation within the agent's context window: in the background once it is mostly full, before the
 * next turn when it is nearly full. A compaction that fails leaves everything as it was and is tried again later.
 */
import { tokensOf } from '../../state/token-estimate.ts'
import type { Agent } from '../agent.ts'
import { compact } from '../history/compact.ts'
import type { CompactionRules, EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'

const RULES: CompactionRules = { isOn: true, backgroundAt: 0.8, blockingAt: 0.95 }

/** Waits for room when there is almost none left. */
export async function compactBefore(
  engine: EngineContext,
  session: LiveSession,
  agent: Agent,
): Promise<void> {
  const { blockingAt } = engine.compaction ?? RULES
  if ((await fullness(engine, session, agent)) < blockingAt) return
  await (session.work.compacting ?? begin(engine, session, agent, blockingAt))
}

/** Begins after a turn and does not hold up the next one: what is said meanwhile stays in the context. */
export function compactAfter(engine: EngineContext, session: LiveSession, agent: Agent): void {
  if (session.work.compacting !== undefined || windowOf(engine, session, agent) === undefined)
    return
  void begin(engine, session, agent, (engine.compaction ?? RULES).backgroundAt)
}

function begin(
  engine: EngineContext,
  session: LiveSession,
  agent: Agent,
  from: number,
): Promise<void> {
  session.work.compacting = compactFrom(engine, session, agent, from)
    .catch(() => {}) // recorded by the compaction itself
    .finally(() => {
      session.work.compacting = undefined
    })
  return session.work.compacting
}

async function compactFrom(
  engine: EngineContext,
  session: LiveSession,
  agent: Agent,
  from: number,
): Promise<void> {
  if ((await fullness(engine, session, agent)) >= from)
    await compact(engine, session, { trigger: 'threshold' })
}

async function fullness(
  engine: EngineContext,
  session: LiveSession,
  agent: Agent,
): Promise<number> {
  const window = windowOf(engine, session, agent)
  if (window === undefined || !session.written.hasLog) return 0
  return tokensOf(await modelContext(engine, session)) / window
}

/** Undefined when it is not known, or nothing is to be compacted by itself. */
const windowOf = (
  { compaction = RULES }: EngineContext,
  session: LiveSession,
  agent: Agent,
): number | undefined =>
  compaction.isOn ? agent.contextWindow?.(stateOf(session).model) : undefined

export const isContextLimit = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'context_limit'

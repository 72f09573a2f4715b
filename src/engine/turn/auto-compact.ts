/**
 * Keeps a conversation within the agent's context window: in the background once it is mostly full, before the
 * next turn when it is nearly full. A compaction that fails leaves everything as it was and is tried again later.
 */
import { estimateTokens } from '../../state/compaction.ts'
import type { ModelContext } from '../../state/model-context.ts'
import { compact } from '../time/compact.ts'
import type { CompactionRules, EngineContext } from '../context.ts'
import { stateOf } from '../live/live-session.ts'
import type { LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'

const RULES: CompactionRules = { isOn: true, backgroundAt: 0.8, blockingAt: 0.95 }

/** Waits for room when there is almost none left. */
export async function compactBefore(engine: EngineContext, session: LiveSession): Promise<void> {
  const { blockingAt } = engine.compaction ?? RULES
  if ((await fullness(engine, session)) < blockingAt) return
  await (session.compacting ?? begin(engine, session, blockingAt))
}

/** Begins after a turn and does not hold up the next one: what is said meanwhile stays in the context. */
export function compactAfter(engine: EngineContext, session: LiveSession): void {
  if (session.compacting !== undefined || windowOf(engine, session) === undefined) return
  void begin(engine, session, (engine.compaction ?? RULES).backgroundAt)
}

function begin(engine: EngineContext, session: LiveSession, from: number): Promise<void> {
  session.compacting = compactFrom(engine, session, from)
    .catch(() => {}) // recorded by the compaction itself
    .finally(() => {
      session.compacting = undefined
    })
  return session.compacting
}

async function compactFrom(
  engine: EngineContext,
  session: LiveSession,
  from: number,
): Promise<void> {
  if ((await fullness(engine, session)) >= from)
    await compact(engine, session, { trigger: 'threshold' })
}

async function fullness(engine: EngineContext, session: LiveSession): Promise<number> {
  const window = windowOf(engine, session)
  if (window === undefined || !session.hasLog) return 0
  return tokensOf(await modelContext(engine, session)) / window
}

/** Undefined when it is not known, or nothing is to be compacted by itself. */
const windowOf = ({ agent, compaction = RULES }: EngineContext, session: LiveSession) =>
  compaction.isOn ? agent.contextWindow?.(stateOf(session).model) : undefined

export const tokensOf = ({ system, messages }: ModelContext): number =>
  messages.reduce(
    (sum, message) => sum + estimateTokens(message.content),
    estimateTokens(system ?? ''),
  )

export const isContextLimit = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'context_limit'

/**
 * Keeps a conversation within the agent's context window: in the background once it is mostly full, before the
 * next turn when it is nearly full. A compaction that fails leaves everything as it was and is tried again later.
 */
import { estimateTokens } from '../state/compaction.ts'
import type { ModelContext } from '../state/model-context.ts'
import { compact } from './compact.ts'
import type { EngineContext } from './context.ts'
import { stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'
import { modelContext } from './model-context.ts'

const BACKGROUND_AT = 0.8
const BLOCKING_AT = 0.95

/** Waits for room when there is almost none left. */
export async function compactBefore(engine: EngineContext, session: LiveSession): Promise<void> {
  if ((await fullness(engine, session)) < BLOCKING_AT) return
  await (session.compacting ?? begin(engine, session, BLOCKING_AT))
}

/** Begins after a turn and does not hold up the next one: what is said meanwhile stays in the context. */
export function compactAfter(engine: EngineContext, session: LiveSession): void {
  if (session.compacting !== undefined || windowOf(engine, session) === undefined) return
  void begin(engine, session, BACKGROUND_AT)
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

const windowOf = (engine: EngineContext, session: LiveSession) =>
  engine.agent.contextWindow?.(stateOf(session).model)

export const tokensOf = ({ system, messages }: ModelContext): number =>
  messages.reduce(
    (sum, message) => sum + estimateTokens(message.content),
    estimateTokens(system ?? ''),
  )

export const isContextLimit = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'context_limit'

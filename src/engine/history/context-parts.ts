/** What fills the window of the model that would be asked now. */
import { defined } from '../../lib/defined.ts'
import { contextParts as partsOf, type ContextParts } from '../../state/context-parts.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'
import { toolsNow } from './context-at.ts'

export type WindowParts = ContextParts & {
  /** The window of the agent's model, where it is known. */
  readonly window?: number
}

export async function contextParts(
  engine: EngineContext,
  session: LiveSession,
  { most }: { readonly most?: number } = {},
): Promise<WindowParts> {
  const agent = await answeringIfAny(engine, session)
  const window = agent?.contextWindow?.(stateOf(session).model)
  const context = session.written.hasLog
    ? await modelContext(engine, session)
    : { system: undefined, messages: [] }
  return { ...partsOf(context, await toolsNow(engine, session), most), ...defined({ window }) }
}

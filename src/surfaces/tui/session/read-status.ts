/** What the status line says of a session. */
import type { Engine } from '../../../engine/engine.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import type { SessionFacts } from '../model/model.ts'

/** Another holder has it in the middle of something, also in this process: what has no end yet goes on. */
export async function isAtWorkElsewhere(engine: Engine, id: SessionId): Promise<boolean> {
  const session = await engine.open(id)
  if (session.machine !== undefined) return session.now?.isAtWorkElsewhere ?? false
  const { at } = await session.pending()
  return at === 'next-door' || at === 'foreign' || session.now?.isRunning === true
}

/** `window`: how much the model takes, where that is known. */
export async function readStatus(
  engine: Engine,
  id: SessionId,
  window: number | undefined,
): Promise<Partial<SessionFacts>> {
  const session = await engine.open(id)
  const [state, usage, about, isElsewhere] = await Promise.all([
    session.state(),
    session.usage(),
    session.metadata(),
    isAtWorkElsewhere(engine, id),
  ])
  const { model, mode } = state
  const lastCall = usage.lastCall ?? state.copied.lastCall
  const branch = state.project.branch ?? about.branch
  const name = about.name ?? about.summary
  return {
    id,
    mode,
    isElsewhere,
    ...(name !== '' && { name }),
    ...defined({ branch, model }),
    usage: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cost: usage.cost,
      dollars: usage.dollars,
    },
    ...(lastCall !== undefined && {
      context: {
        tokens: lastCall.inputTokens + lastCall.outputTokens,
        ...defined({ limit: window }),
      },
    }),
  }
}

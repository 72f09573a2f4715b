/** What the status line says of a session. */
import type { Engine } from '../../../engine/engine.ts'
import type { SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import type { SessionFacts } from '../model/model.ts'

/** Another process is in the middle of something: what has no end yet goes on. */
export async function isAtWorkElsewhere(engine: Engine, id: SessionId): Promise<boolean> {
  const { at } = await (await engine.open(id)).pending()
  return at === 'next-door' || at === 'foreign'
}

export async function readStatus(engine: Engine, id: SessionId): Promise<Partial<SessionFacts>> {
  const [state, about, isElsewhere] = await Promise.all([
    (await engine.open(id)).state(),
    (await engine.open(id)).metadata(),
    isAtWorkElsewhere(engine, id),
  ])
  const { usage, model, mode } = state
  const branch = state.project.branch ?? about.branch
  const name = about.name ?? about.summary
  return {
    id,
    mode,
    isElsewhere,
    ...(name !== '' && { name }),
    ...defined({ branch, model }),
    usage: { input: usage.inputTokens, output: usage.outputTokens, cost: usage.cost },
  }
}

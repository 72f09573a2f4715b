/** What the status line says of a session. */
import type { Engine } from '../../../engine/engine.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { SessionFacts } from '../model/model.ts'

export async function readFacts(engine: Engine, id: SessionId): Promise<Partial<SessionFacts>> {
  const [state, about, { work }] = await Promise.all([
    engine.state(id),
    engine.metadata(id),
    engine.askedElsewhere(id),
  ])
  const { usage, model, mode } = state
  const branch = state.project.branch ?? about.branch
  const name = about.name ?? about.summary
  return {
    id,
    mode,
    isElsewhere: work !== undefined,
    ...(name !== '' && { name }),
    ...(branch !== undefined && { branch }),
    ...(model !== undefined && { model }),
    usage: { input: usage.inputTokens, output: usage.outputTokens, cost: usage.cost },
  }
}

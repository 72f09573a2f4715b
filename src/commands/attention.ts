/** What sessions want of a person: what goes on in them now, and what has come while nobody looked. */
import type { Engine } from '../engine/engine.ts'
import { listUnseen } from '../engine/sessions/unread.ts'
import type { SessionId } from '../format/ids.ts'
import type { Attention } from '../state/attention.ts'

export async function attentionIn(
  engine: Pick<Engine, 'fs' | 'running'>,
): Promise<ReadonlyMap<SessionId, Attention>> {
  const [unseen, running] = await Promise.all([listUnseen(engine.fs), engine.running()])
  const found = new Map<SessionId, Attention>()
  for (const [id, outcome] of unseen) found.set(id, outcome === 'failed' ? 'failed' : 'unseen')
  // What goes on now is newer than how a turn ended.
  for (const [id, work] of running) found.set(id, work)
  return found
}

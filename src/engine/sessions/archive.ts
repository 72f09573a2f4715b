/** Sessions that are kept out of sight: nothing of them changes, and each can be brought back. One mark for each. */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { close } from '../live/close.ts'
import type { EngineContext } from '../engine-context.ts'
import { explainMissing } from '../live/not-found-reason.ts'
import { homeFolder, inHome } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'

/** Closes it first. */
export async function archive(engine: EngineContext, id: SessionId): Promise<void> {
  await requireThere(engine, id)
  await close(engine, id)
  await engine.fs.createExclusive(inHome('archived', { id }), new Uint8Array())
}

export async function unarchive(engine: EngineContext, id: SessionId): Promise<void> {
  await requireThere(engine, id)
  await engine.fs.remove(inHome('archived', { id }))
}

export async function archived({ fs }: EngineContext): Promise<ReadonlySet<SessionId>> {
  const names = (await fs.list(homeFolder('archived'))).map(({ name }) => name)
  return new Set(names.filter(isSessionId))
}

async function requireThere(engine: EngineContext, id: SessionId): Promise<void> {
  if (engine.live.has(id) || (await engine.fs.stat(sessionDir(id))) !== undefined) return
  throw await explainMissing(engine, id)
}

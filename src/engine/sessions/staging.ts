/**
 * A session that is made whole beside the others and then appears under its id in one step: a fork, an import. A crash
 * leaves either no session or all of it, and what it leaves in the making is cleared by the next.
 */
import type { SessionId } from '../../format/ids.ts'
import { inHome } from '../../format/paths.ts'
import type { EngineContext } from '../engine-context.ts'
import { sessionDir } from '../session-dir.ts'
import { announce } from '../catalogue/dirty-markers.ts'

export async function buildAside<T>(
  engine: EngineContext,
  id: SessionId,
  as: 'fork' | 'importing',
  build: (building: string) => Promise<T>,
  { isTold = true }: { readonly isTold?: boolean } = {},
): Promise<T> {
  const building = inHome(as, { id })
  const isOver = await announce(engine.fs, id)
  try {
    const built = await build(building)
    await engine.fs.rename(building, sessionDir(id))
    if (isTold) engine.changes.tell({ kind: as === 'fork' ? 'forked' : 'imported', id })
    return built
  } catch (cause) {
    await engine.fs.remove(building)
    throw cause
  } finally {
    await isOver()
  }
}

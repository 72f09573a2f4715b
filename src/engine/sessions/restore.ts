/** Brings a deleted session back: the last one whose id begins so, else the one that has this name. */
import type { SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { SESSIONS } from '../../format/paths.ts'
import { resolveSession } from '../../state/resolve.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { sessionDir } from '../session-dir.ts'
import { trash, type Trashed } from './remove.ts'
import { listTrash } from './trash.ts'

export async function restore(engine: EngineContext, word: string): Promise<SessionId> {
  const { id, path } = await meant(engine, word)
  if (!(await makeRoom(engine, id))) {
    throw new EngineError(
      'conflict',
      `Session ${id} exists again. The deleted one was left in the trash.`,
    )
  }
  await engine.fs.mkdir(SESSIONS)
  await engine.fs.rename(path, sessionDir(id))
  engine.changes.tell({ kind: 'restored', id })
  return id
}

async function meant(engine: EngineContext, word: string): Promise<Trashed> {
  const begin = (await trash(engine)).filter(({ id }) => id.startsWith(word.toLowerCase()))
  const matches = begin.length > 0 ? begin : await namedSo(engine, word)
  const [newest] = matches
  if (newest === undefined) {
    throw new EngineError(
      'not_found',
      `No deleted session has the name "${word}" or an id that begins so. ` +
        `"reprise sessions list --trash" shows what can be restored.`,
    )
  }
  const ids = [...new Set(matches.map(({ id }) => id))]
  if (ids.length > 1) {
    throw new EngineError(
      'ambiguous',
      `${ids.length} deleted sessions fit "${word}": ${ids.join(', ')}. Name one by its id.`,
      { details: { ids } },
    )
  }
  return newest
}

/** Of a session that was deleted several times, the last one comes first. */
async function namedSo(engine: EngineContext, word: string): Promise<readonly Trashed[]> {
  const all = await listTrash(engine)
  const found = resolveSession(
    word,
    all.map(({ id, title }) => ({ id, name: title })),
  )
  const ids = found.kind === 'found' ? [found.id] : found.kind === 'ambiguous' ? found.ids : []
  return all.filter(({ id }) => ids.includes(id))
}

/** A reader that met the deletion may have made the derived file again; it alone is no session. */
async function makeRoom({ fs }: EngineContext, id: SessionId): Promise<boolean> {
  const dir = sessionDir(id)
  if ((await fs.stat(dir)) === undefined) return true
  const entries = await fs.list(dir)
  if (entries.some(({ name }) => name !== layout.session.metadata.path)) return false
  await fs.remove(dir)
  return true
}

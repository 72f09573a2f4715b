/**
 * Folders and names below the session's files/: looked at, made, moved and removed. Links are never followed, so
 * nothing here leads out of the session.
 */
import type { SessionId } from '../../format/ids.ts'
import { checkPath } from '../../lib/check-path.ts'
import { FILES, filesBelow, pathInEvents } from '../../workspace/files.ts'
import type { EngineContext } from '../engine-context.ts'
import { save } from '../live/create.ts'
import { EngineError } from '../errors.ts'
import type { LiveSession } from '../live/live-session.ts'
import { requireSession } from '../live/not-found-reason.ts'
import { changeWorkspace } from './change-workspace.ts'

type PathStat = {
  readonly kind: 'file' | 'folder'
  readonly size: number
  readonly mtimeMs: number
}

export async function statPath(
  engine: EngineContext,
  id: SessionId,
  path: string,
): Promise<PathStat> {
  const found = await look(engine, await requireSession(engine, id), path)
  if (found.stat === undefined) throw missing(id, path)
  return found.stat
}

export async function createFolder(
  engine: EngineContext,
  session: LiveSession,
  path: string,
): Promise<void> {
  await save(engine, session)
  const { place, stat } = await look(engine, session.dir, path)
  if (stat?.kind === 'file') throw taken(path)
  await engine.fs.mkdir(place)
}

export async function removePath(
  engine: EngineContext,
  session: LiveSession,
  path: string,
  { recursive }: { recursive: boolean },
): Promise<void> {
  const { place, stat } = await look(engine, session.dir, path)
  if (stat === undefined) throw missing(session.id, path)
  if (stat.kind === 'folder' && !recursive && (await engine.fs.list(place)).length > 0) {
    throw new EngineError('conflict', `"${path}" is not empty. Nothing was removed.`)
  }
  // The format has no event for what is gone.
  await changeWorkspace(engine, session, await filesAt(engine, session, place), async () => {
    await engine.fs.remove(place)
    return []
  })
}

export async function renamePath(
  engine: EngineContext,
  session: LiveSession,
  from: string,
  to: string,
): Promise<void> {
  const source = await look(engine, session.dir, from)
  const target = await look(engine, session.dir, to)
  if (source.stat === undefined) throw missing(session.id, from)
  if (target.stat !== undefined) throw taken(to)
  const before = await filesAt(engine, session, source.place)
  const after = before.map((path) => `${FILES}/${to}${path.slice(FILES.length + 1 + from.length)}`)
  await changeWorkspace(engine, session, [...before, ...after], async () => {
    await engine.fs.mkdir(target.place.slice(0, target.place.lastIndexOf('/')))
    await engine.fs.rename(source.place, target.place)
    return after.map((path) => ({
      type: 'session.workspace_file_changed',
      data: { path: pathInEvents(path), operation: 'create' },
    }))
  })
}

/** The files at a path, one or those of a folder, relative to the session's folder. */
async function filesAt(
  { fs }: EngineContext,
  { dir }: LiveSession,
  place: string,
): Promise<readonly string[]> {
  const below = await filesBelow(fs, place)
  const isFile = (await fs.stat(place))?.kind === 'file'
  return (isFile ? [place] : below).map((path) => path.slice(dir.length + 1))
}

async function look(
  { fs }: EngineContext,
  dir: string,
  path: string,
): Promise<{ place: string; stat: PathStat | undefined }> {
  checkPath(path)
  const segments = [FILES, ...path.split('/')]
  for (let count = 1; count < segments.length; count++) {
    const above = await fs.stat(`${dir}/${segments.slice(0, count).join('/')}`)
    if (above !== undefined && above.kind !== 'folder') throw notPlain(path)
  }
  const place = `${dir}/${segments.join('/')}`
  const stat = await fs.stat(place)
  if (stat === undefined) return { place, stat }
  const { kind, size, mtimeMs } = stat
  if (kind === 'other') throw notPlain(path)
  return { place, stat: { kind, size, mtimeMs } }
}

const missing = (id: SessionId, path: string) =>
  new EngineError('not_found', `Session ${id} has no file "${path}". Nothing was changed.`)
const taken = (path: string) =>
  new EngineError('conflict', `"${path}" is there already. Nothing was changed.`)
const notPlain = (path: string) =>
  new EngineError('invalid', `"${path}" is a link or leads through one. Nothing was changed.`)

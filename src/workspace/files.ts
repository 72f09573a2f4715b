/**
 * The session's files/ and research/: what lies in them, read and written by a path relative to the
 * session's folder. Links are neither listed nor followed, so a link that a tool left behind never
 * leads out of the session.
 */
import { layout } from '../format/layout.ts'
import { folderOf } from '../format/paths.ts'
import type { FileStat, SessionFs } from '../fs/session-fs.ts'
import { BadPath, checkPath } from '../lib/check-path.ts'

export const FILES = folderOf(layout.session.files)
export const RESEARCH = folderOf(layout.session.research)

/**
 * A path of the session's folder as events name it: relative to files/, which is where the Copilot CLI
 * counts from.
 */
export const pathInEvents = (path: string): string =>
  path.startsWith(`${FILES}/`) ? path.slice(FILES.length + 1) : `../${path}`

/** The other way round. */
export const pathOfEvent = (path: string): string =>
  path.startsWith('../') ? path.slice('../'.length) : `${FILES}/${path}`

export type WorkspaceEntry = {
  /** Relative to the session's folder: `files/notes/a.md`. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

/** Both folders, all levels, in the order of their paths. */
export async function listFiles(fs: SessionFs, dir: string): Promise<WorkspaceEntry[]> {
  const paths = [
    ...(await filesBelow(fs, `${dir}/${FILES}`)),
    ...(await filesBelow(fs, `${dir}/${RESEARCH}`)),
  ]
  const stats = await fs.statMany(paths)
  return paths.flatMap((path, index) => {
    const stat = stats[index]
    // A file may be gone since its folder was read.
    if (stat?.kind !== 'file') return []
    return [{ path: path.slice(dir.length + 1), size: stat.size, mtimeMs: stat.mtimeMs }]
  })
}

/**
 * Paths of the regular files below a folder, at all levels, sorted. A name that a shell could make and
 * `checkPath` refuses is left out: nothing else here could open it.
 */
export async function filesBelow(fs: SessionFs, folder: string): Promise<string[]> {
  const paths: string[] = []
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // Listing a folder that is a link would lead out of the session.
    if ((await fs.stat(next))?.kind !== 'folder') continue
    for (const { name, kind } of await fs.list(next)) {
      if (!isSafe(name)) continue
      if (kind === 'folder') open.push(`${next}/${name}`)
      if (kind === 'file') paths.push(`${next}/${name}`)
    }
  }
  return paths.sort()
}

function isSafe(name: string): boolean {
  try {
    checkPath(name)
    return true
  } catch {
    // A name that could lead elsewhere is not listed: nothing else would take it either.
    return false
  }
}

export async function readWorkspaceFile(
  fs: SessionFs,
  dir: string,
  path: string,
): Promise<Uint8Array | undefined> {
  const stat = await statInside(fs, dir, path)
  return stat === undefined ? undefined : fs.read(`${dir}/${path}`)
}

export async function writeWorkspaceFile(
  fs: SessionFs,
  dir: string,
  path: string,
  bytes: Uint8Array,
): Promise<'create' | 'update'> {
  const before = await statInside(fs, dir, path)
  await fs.writeAtomic(`${dir}/${path}`, bytes, { durable: true })
  return before === undefined ? 'create' : 'update'
}

export async function removeWorkspaceFile(fs: SessionFs, dir: string, path: string): Promise<void> {
  const stat = await statInside(fs, dir, path)
  if (stat !== undefined) await fs.remove(`${dir}/${path}`)
}

/** The file's stat, after every folder on the way has been seen to be a folder. */
async function statInside(fs: SessionFs, dir: string, path: string): Promise<FileStat | undefined> {
  checkPath(path)
  const segments = path.split('/')
  if (segments.length < 2 || (segments[0] !== FILES && segments[0] !== RESEARCH)) {
    throw new BadPath(path, `is not in ${FILES}/ or ${RESEARCH}/ of the session`)
  }
  for (let count = 1; count < segments.length; count++) {
    const stat = await fs.stat(`${dir}/${segments.slice(0, count).join('/')}`)
    if (stat !== undefined && stat.kind !== 'folder') throw notPlain(path)
  }
  const stat = await fs.stat(`${dir}/${path}`)
  if (stat !== undefined && stat.kind !== 'file') throw notPlain(path)
  return stat
}

const notPlain = (path: string): BadPath =>
  new BadPath(path, 'is a folder or a link, or leads through one')

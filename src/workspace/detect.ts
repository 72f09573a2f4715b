/**
 * Notices that plan.md, files/ or research/ of a session changed, by any process and through whatever
 * path: the folder is compared with what it was before.
 */
import type { FileStat, SessionFs } from '../fs/session-fs.ts'
import { FILES, RESEARCH, filesBelow } from './files.ts'
import { PLAN } from './plan.ts'

/** By paths relative to the session's folder. */
export type WorkspaceSnapshot = ReadonlyMap<string, FileStat>

export type WorkspaceChange = {
  /** Relative to the session's folder: `plan.md`, `files/notes/a.md`. */
  readonly path: string
  readonly operation: 'create' | 'update' | 'delete'
}

export async function snapshotWorkspace(fs: SessionFs, dir: string): Promise<WorkspaceSnapshot> {
  const paths = [
    `${dir}/${PLAN}`,
    ...(await filesBelow(fs, `${dir}/${FILES}`)),
    ...(await filesBelow(fs, `${dir}/${RESEARCH}`)),
  ]
  const stats = await fs.statMany(paths)
  const snapshot = new Map<string, FileStat>()
  paths.forEach((path, index) => {
    const stat = stats[index]
    if (stat?.kind === 'file') snapshot.set(path.slice(dir.length + 1), stat)
  })
  return snapshot
}

export function diffWorkspace(
  before: WorkspaceSnapshot,
  after: WorkspaceSnapshot,
): WorkspaceChange[] {
  const changes: WorkspaceChange[] = []
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)]
    if (was !== undefined && is !== undefined && isSameFile(was, is)) continue
    const operation = was === undefined ? 'create' : is === undefined ? 'delete' : 'update'
    changes.push({ path, operation })
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Identity as well: a file replaced by one of equal size in the same tick of the clock is another. */
export const isSameFile = (one: FileStat, other: FileStat): boolean =>
  one.size === other.size && one.mtimeMs === other.mtimeMs && one.identity === other.identity

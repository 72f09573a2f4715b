/**
 * What a restore would do, path by path: where the project has to go back to, and whether it may. Only what the
 * record proves to be unchanged since is touched; everything else is left alone and named.
 */
import { readdirSync } from 'node:fs'
import { foldersAround, sameState, type Absent, type FileState } from './file-state.ts'
import { kindOf } from './describe.ts'
import type { FileChange } from './journal-entry.ts'
import { observe } from './observe.ts'
import { withFolder } from './beneath-root.ts'

export type RestoreItem = {
  readonly path: string
  /**
   * `restore`: it will be; `already`: it is as it should be; `drifted`: a person or another program changed it since, or
   * between two calls; `notCovered`: the content to go back to, or the one to compare with, was not kept.
   */
  readonly verdict: 'restore' | 'already' | 'drifted' | 'notCovered'
  readonly now: FileState | Absent
  readonly target: FileState | Absent
  /** What the calls that are taken back did to the path, in all. */
  readonly change: 'created' | 'modified' | 'deleted'
  readonly linesAdded: number
  readonly linesRemoved: number
}

export type RestorePlan = {
  readonly direction: 'rewind' | 'redo'
  /** The restore that a redo takes back. */
  readonly of?: string
  /** Number of the first entry of the journal that is taken back. */
  readonly position: number
  /** In the order of their paths. */
  readonly items: readonly RestoreItem[]
}

type Source = {
  readonly root: string
  readonly maxFileBytes: number
  readonly hasContent: (sha256: string) => boolean
}

type Changes = { readonly changes: readonly FileChange[] }

export async function planItems(
  entries: readonly Changes[],
  source: Source,
): Promise<RestoreItem[]> {
  const { hasContent } = source
  const ordered = await judgeTrails(entries, {
    hasContent,
    stateNow: (path) => stateNow(source, path),
  })
  const items = new Map(ordered.map((item) => [item.path, item]))
  for (const item of ordered) keepWithoutFolder(item, items, source.root)
  for (const item of ordered.toReversed()) keepFullFolder(item, items, source.root)
  return ordered.map(({ path }) => items.get(path)).filter((item) => item !== undefined)
}

/** What the record alone says of each path, in the order of their paths; folders around it are not looked at. */
export async function judgeTrails(
  entries: readonly Changes[],
  {
    hasContent,
    stateNow,
  }: Pick<Source, 'hasContent'> & {
    readonly stateNow: (path: string) => Promise<FileState | Absent>
  },
): Promise<RestoreItem[]> {
  const items: RestoreItem[] = []
  for (const [path, trail] of trailsOf(entries)) {
    const now = await stateNow(path)
    const { target, linesAdded, linesRemoved } = trail
    const verdict = judge(trail, now, hasContent)
    const change = changeOf(target, trail.expected)
    items.push({ path, verdict, now, target, change, linesAdded, linesRemoved })
  }
  return items.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** The way of one path through the entries. */
type Trail = {
  readonly target: FileState | Absent
  readonly expected: FileState | Absent
  /** It was not left between two calls as the first had left it. */
  readonly isBroken: boolean
  readonly linesAdded: number
  readonly linesRemoved: number
}

function trailsOf(entries: readonly Changes[]): Map<string, Trail> {
  const trails = new Map<string, Trail>()
  for (const { changes } of entries) {
    for (const { path, before, after, linesAdded, linesRemoved } of changes) {
      const trail = trails.get(path)
      trails.set(path, {
        target: trail === undefined ? before : trail.target,
        expected: after,
        isBroken: trail !== undefined && (trail.isBroken || !sameState(trail.expected, before)),
        linesAdded: (trail?.linesAdded ?? 0) + linesAdded,
        linesRemoved: (trail?.linesRemoved ?? 0) + linesRemoved,
      })
    }
  }
  return trails
}

function judge(
  { target, expected, isBroken }: Trail,
  now: FileState | Absent,
  hasContent: Source['hasContent'],
): RestoreItem['verdict'] {
  if (target?.type === 'unknown' || expected?.type === 'unknown') return 'notCovered'
  if (sameState(now, target)) return 'already'
  if (isBroken || !sameState(now, expected)) return 'drifted'
  const isWritten =
    target?.type === 'file' && !(now?.type === 'file' && now.sha256 === target.sha256)
  return isWritten && !hasContent(target.sha256) ? 'notCovered' : 'restore'
}

/** Without keeping anything: looking changes nothing. */
async function stateNow(
  { root, maxFileBytes }: Pick<Source, 'root' | 'maxFileBytes'>,
  path: string,
): Promise<FileState | Absent> {
  return (await observe(root, path, { maxFileBytes, keep: async () => {} }))?.state ?? null
}

function changeOf(before: FileState | Absent, after: FileState | Absent): RestoreItem['change'] {
  if (before === null && after !== null) return 'created'
  return before !== null && after === null ? 'deleted' : 'modified'
}

/** Something can only be put back where its folder is, or will be, a folder. Outer paths come first. */
function keepWithoutFolder(item: RestoreItem, items: Map<string, RestoreItem>, root: string): void {
  if (item.verdict !== 'restore' || item.target === null) return
  const isReady = foldersAround(item.path).every((folder) => {
    const around = items.get(folder)
    if (around === undefined) return isFolder(root, folder)
    return (around.verdict === 'restore' ? around.target : around.now)?.type === 'folder'
  })
  if (!isReady) items.set(item.path, { ...item, verdict: 'drifted' })
}

/** A folder only goes when nothing but what goes with it is inside. Inner paths come first. */
function keepFullFolder(item: RestoreItem, items: Map<string, RestoreItem>, root: string): void {
  if (item.now?.type !== 'folder' || item.target?.type === 'folder') return
  if (items.get(item.path)?.verdict !== 'restore') return
  const isEmptied = namesIn(root, item.path).every((name) => {
    const inside = items.get(`${item.path}/${name}`)
    return inside?.verdict === 'restore' && inside.target === null
  })
  if (!isEmptied) items.set(item.path, { ...item, verdict: 'drifted' })
}

function isFolder(root: string, path: string): boolean {
  try {
    return withFolder(root, path, () => true)
  } catch {
    // Missing, a link or a file: no folder that something can be restored into.
    return false
  }
}

const namesIn = (root: string, path: string): string[] =>
  withFolder(root, path, (held) => readdirSync(held))

/** What a restore of the item does to its path, as the journal tells it. */
export const asChange = ({
  path,
  now,
  target,
  linesAdded,
  linesRemoved,
}: RestoreItem): FileChange => ({
  path,
  kind: kindOf(now, target),
  before: now,
  after: target,
  // The other way round than what is taken back.
  linesAdded: linesRemoved,
  linesRemoved: linesAdded,
})

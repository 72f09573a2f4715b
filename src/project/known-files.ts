/**
 * What is known of every covered file: a tree that sessions of the project share, and what this session knows
 * otherwise. Only the second is the session's own to keep.
 */
import { stampOf } from './beneath-root.ts'
import { sameStamp, type Stamp } from './file-state.ts'
import type { Known } from './observe.ts'
import type { Reference, Scan } from './scan.ts'
import { inFolder, type Tree, type TreeFolder } from './tree-file.ts'

export interface KnownFiles extends Iterable<[string, Known]> {
  readonly size: number
  /** What differs from the shared tree; undefined for what is not there any more. */
  readonly own: ReadonlyMap<string, Known | undefined>
  get(path: string): Known | undefined
  set(path: string, known: Known): void
  /** False when it was not known. */
  delete(path: string): boolean
  isFresh(path: string, stamp: Stamp): boolean
  /** Takes over another tree; what is known stays known. */
  share(tree: Tree): void
  /** By what git's packs were known when all that they have was last looked for, as far as the tree tells. */
  readonly gitMark: string | undefined
  /** What a scan is held against. */
  reference(): Reference
  /** Known paths that the scan did not meet. */
  unseen(scan: Scan): string[]
  /** How many folders were listed that a tree could tell from now on. */
  listedAnew(scan: Scan): number
  /** Every folder that the scan met, as a tree keeps it. */
  foldersOf(scan: Scan): TreeFolder[]
}

export function knownFiles(): KnownFiles {
  let tree: Tree | undefined
  let own = new Map<string, Known | undefined>()
  /** Folders in which something is the session's own knowledge. */
  let marked = new Set<string>()
  let size = 0

  const get = (path: string): Known | undefined => (own.has(path) ? own.get(path) : tree?.get(path))
  const isFresh = (path: string, stamp: Stamp): boolean => {
    const had = get(path)
    return had !== undefined && !had.isYoung && sameStamp(had.seen, stamp)
  }
  const files: KnownFiles = {
    get size() {
      return size
    },
    get own() {
      return own
    },
    get,
    set(path, known) {
      if (get(path) === undefined) size++
      own.set(path, known)
      marked.add(folderOf(path))
    },
    delete(path) {
      if (get(path) === undefined) return false
      size--
      if (tree?.get(path) === undefined) own.delete(path)
      else own.set(path, undefined)
      marked.add(folderOf(path))
      return true
    },
    isFresh,
    share(next) {
      const kept = own
      own = new Map()
      marked = new Set()
      tree = next
      size = next.size
      for (const [path, known] of kept) {
        if (known === undefined) files.delete(path)
        else if (!isAs(known, next.get(path))) files.set(path, known)
      }
    },
    get gitMark() {
      const isOwn = [...own.values()].some((known) => known?.blob !== undefined)
      return isOwn ? undefined : tree?.head.git
    },
    reference: () => ({
      folder(path) {
        const folder = tree?.folders.get(path)
        return folder?.isListed === true ? folder : undefined
      },
      rootSeen: tree?.head.seen,
      sameIn(folder) {
        const isAsInTree = tree?.sameIn(folder) ?? (() => false)
        if (!marked.has(folder.path)) return isAsInTree
        return (index, stats) => {
          const path = inFolder(folder.path, folder.names[index] ?? '')
          if (!own.has(path)) return isAsInTree(index, stats)
          const stamp = stampOf(stats)
          return stamp !== 'special' && isFresh(path, stamp)
        }
      },
      seenOf: (path) => get(path)?.seen,
      isFresh,
    }),
    unseen,
    listedAnew: ({ visited }) =>
      [...visited.values()].filter((listing) => listing !== 'same' && listing.isListed).length,
    foldersOf(scan) {
      return [...scan.visited].flatMap(([path, listing]) => {
        if (listing === 'same') return tree?.folders.get(path) ?? []
        const { seen, ...rest } = listing
        const now = path === '' ? seen : get(path)?.seen
        const isListed = listing.isListed && now !== undefined && sameStamp(now, seen)
        return { ...rest, path, isListed }
      })
    },
    *[Symbol.iterator]() {
      for (const path of tree?.paths() ?? []) {
        const known = own.has(path) ? undefined : tree?.get(path)
        if (known !== undefined) yield [path, known]
      }
      for (const [path, known] of own) if (known !== undefined) yield [path, known]
    },
  }
  return files

  function unseen({ visited, gone }: Scan): string[] {
    const missed = new Set<string>(gone)
    const namesMet = (folder: string): ReadonlySet<string> | undefined => {
      const listing = visited.get(folder)
      if (listing === undefined) return undefined
      return new Set(listing === 'same' ? tree?.folders.get(folder)?.names : listing.names)
    }
    for (const { path: folder, names } of tree?.folders.values() ?? []) {
      if (visited.get(folder) === 'same') continue
      const met = namesMet(folder)
      for (const name of names) if (met?.has(name) !== true) missed.add(inFolder(folder, name))
    }
    const met = new Map<string, ReadonlySet<string> | undefined>()
    for (const path of own.keys()) {
      const folder = folderOf(path)
      if (!met.has(folder)) met.set(folder, namesMet(folder))
      const name = folder === '' ? path : path.slice(folder.length + 1)
      if (met.get(folder)?.has(name) !== true) missed.add(path)
    }
    return [...missed].filter((path) => get(path) !== undefined)
  }
}

const isAs = (known: Known, other: Known | undefined): boolean =>
  other !== undefined && !known.isYoung && sameStamp(known.seen, other.seen)

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

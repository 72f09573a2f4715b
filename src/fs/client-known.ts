/** What is known of a client's files and folders, and for how long it is believed. */
import type { ClientStat } from './client-calls.ts'
import type { Entry } from './session-fs.ts'

export type Known = {
  readonly atMs: number
  readonly kind: ClientStat['kind'] | 'missing'
  readonly stat?: ClientStat
  readonly text?: string
}

/** For so long nobody else is reckoned with. */
const HOLDS_MS = 30_000
/** A longer file is read again. */
const MOST_CHARS = 1024 * 1024

export function openKnown(
  { root, separator }: { readonly root: string; readonly separator: string },
  nowMs: () => number,
) {
  const nodes = new Map<string, Known>()
  const listed = new Map<string, number>()
  const above = (path: string) => path.slice(0, path.lastIndexOf(separator))
  const isBelow = (path: string, folder: string) => path.startsWith(folder + separator)
  const isFresh = (atMs: number | undefined) => atMs !== undefined && nowMs() - atMs < HOLDS_MS
  const isListed = (folder: string) => isFresh(listed.get(folder))
  const nodeOf = (path: string): Known | undefined => {
    const node = nodes.get(path)
    return isFresh(node?.atMs) ? node : undefined
  }
  const learn = (path: string, known: Omit<Known, 'atMs'>) =>
    void nodes.set(path, { atMs: nowMs(), ...known })

  function forget(path: string): void {
    for (const each of nodes.keys()) if (each === path || isBelow(each, path)) nodes.delete(each)
    for (const each of listed.keys()) if (each === path || isBelow(each, path)) listed.delete(each)
  }

  /** Without asking: it is known as missing, or the folder that it would be in was listed without it. */
  function isMissing(path: string): boolean {
    const node = nodeOf(path)
    if (node !== undefined) return node.kind === 'missing'
    if (!isBelow(path, root)) return false
    return isListed(above(path)) || isMissing(above(path))
  }

  return {
    above,
    isInside: (path: string): boolean => isBelow(path, root),
    isListed,
    nodeOf,
    isMissing,
    learn,
    learnFile: (path: string, size: number, text?: string): void =>
      learn(path, {
        kind: 'file',
        stat: { kind: 'file', size, mtimeMs: Date.now() },
        ...(text !== undefined && text.length <= MOST_CHARS && { text }),
      }),
    /** All that is in the folder. */
    learnEntries(folder: string, entries: readonly Entry[]): void {
      const isNamed = new Set(entries.map(({ name }) => folder + separator + name))
      for (const path of nodes.keys())
        if (above(path) === folder && !isNamed.has(path)) forget(path)
      for (const { name, kind } of entries) {
        const path = folder + separator + name
        if (nodeOf(path)?.kind !== kind) learn(path, { kind })
      }
      listed.set(folder, nowMs())
    },
    /** It was made just now: nothing is in it. */
    learnEmpty: (folder: string): void => void listed.set(folder, nowMs()),
    entriesIn: (folder: string): Entry[] =>
      [...nodes].flatMap(([path, { kind }]) =>
        kind !== 'missing' && above(path) === folder
          ? [{ name: path.slice(folder.length + separator.length), kind }]
          : [],
      ),
    forget,
    /** A change of it failed, and may have happened all the same. */
    doubt(path: string): void {
      forget(path)
      listed.delete(above(path))
    },
  }
}

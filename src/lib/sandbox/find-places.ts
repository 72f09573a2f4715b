/**
 * Finds files and folders below a folder by their names, again and again: what was found is kept with the time of each
 * folder's last change, so that a search costs one look at each folder and reads only those that changed since.
 */
import { readdirSync, statSync } from 'node:fs'
import { createBreather } from '../yield-loop.ts'

export type Found = {
  readonly path: string
  readonly name: string
  readonly isFolder: boolean
  readonly isLink: boolean
}

export interface PlaceFinder {
  /** Everything that is wanted and there now. Who asks while a search runs is given what it finds. */
  find(): Promise<{ readonly found: readonly Found[]; readonly isWhole: boolean }>
}

/** Names that are looked at; beyond them a search ends. */
const MOST_NAMES = 200_000
/** A folder may change twice within one tick of the clock of its disk. */
const TICK_MS = 50

/** Secrets of a person lie in none of them, and they may hold most of the names of a project. */
const NOT_ENTERED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

type Seen = {
  readonly changedMs: number
  readonly readMs: number
  readonly names: number
  readonly folders: readonly string[]
  readonly found: readonly Found[]
}

/** `isWanted` is asked once about each entry. Links are not followed. */
export function placeFinder(
  root: string,
  isWanted: (entry: Found) => boolean,
  mostNames = MOST_NAMES,
): PlaceFinder {
  let known = new Map<string, Seen>()
  let running: ReturnType<PlaceFinder['find']> | undefined

  function look(folder: string): Seen | undefined {
    const before = known.get(folder)
    try {
      const { mtimeMs: changedMs } = statSync(folder)
      const isSame = before?.changedMs === changedMs && changedMs < before.readMs - TICK_MS
      if (isSame) return before
      const readMs = Date.now()
      const entries = readdirSync(folder, { withFileTypes: true })
      const inside = folder === '/' ? '' : folder
      const found = entries.flatMap((entry) => {
        const path = `${inside}/${entry.name}`
        const isFolder = entry.isDirectory()
        const place = { path, name: entry.name, isFolder, isLink: entry.isSymbolicLink() }
        return isWanted(place) ? [place] : []
      })
      const folders = entries.flatMap((entry) =>
        entry.isDirectory() && !NOT_ENTERED.has(entry.name) ? [`${inside}/${entry.name}`] : [],
      )
      return { changedMs, readMs, names: entries.length, folders, found }
    } catch {
      // It is gone, or closed to us and so to every program that we start.
      return undefined
    }
  }

  async function search() {
    const breathe = createBreather(() => true)
    const next = new Map<string, Seen>()
    const waiting = [root]
    let names = 0
    for (let at = 0; at < waiting.length && names < mostNames; at++) {
      const folder = waiting[at] as string
      const seen = look(folder)
      if (seen === undefined) continue
      next.set(folder, seen)
      names += seen.names
      waiting.push(...seen.folders)
      await breathe()
    }
    known = next
    return {
      found: Array.from(next.values()).flatMap(({ found }) => found),
      isWhole: names < mostNames,
    }
  }

  return {
    find: () => (running ??= search().finally(() => (running = undefined))),
  }
}

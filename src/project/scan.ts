/**
 * What lies in the project: every covered file, link and folder with its stamp, and by name everything that
 * is not covered. Links are listed and never followed, nothing outside the root is looked at, and the scan
 * ends within its budget however large the tree is; what it did not reach is named too.
 *
 * Held against what is known, it tells only what differs. A folder that is as it was when it was listed is not listed
 * again, as far as the file system keeps times of folders: its files are only asked for their stamps.
 */
import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs'
import { setImmediate as nextRound } from 'node:timers/promises'
import { layout } from '../format/layout.ts'
import { fixedStart } from '../format/paths.ts'
import { isMissing } from '../fs/fs-error.ts'
import { defined } from '../lib/defined.ts'
import { isGit, isYoung, sameStamp, type Stamp, type UncoveredReason } from './file-state.ts'
import { isIgnored } from './ignore.ts'
import { stampOf } from './beneath-root.ts'
import { keepsFolderTimes } from './folder-times.ts'
import { rulesIn, type Rules } from './folder-rules.ts'

export type ScanLimits = {
  readonly maxFiles: number
  readonly maxMs: number
  readonly maxFileBytes: number
}

export const SCAN_LIMITS: ScanLimits = {
  maxFiles: 100_000,
  maxMs: 5_000,
  maxFileBytes: 64 * 1024 * 1024,
}

export type Scan = {
  /** What is not as it is known, or is not known at all. */
  readonly entries: ReadonlyMap<string, Stamp>
  readonly notCovered: ReadonlyMap<string, UncoveredReason>
  /** Folders that were entered: as they were known, or as they were listed now. */
  readonly visited: ReadonlyMap<string, Listing | 'same'>
  /** Names that were met and stand for nothing that is covered. */
  readonly gone: readonly string[]
  /** False when the budget ended first. */
  readonly isComplete: boolean
}

export type Listing = {
  /** The folder itself, before it was listed. */
  readonly seen: Stamp
  /** False when a later change may leave the same stamp, or it was not listed whole. */
  readonly isListed: boolean
  /** Those that were looked at. */
  readonly names: readonly string[]
  /** Those that need no look to be left out. */
  readonly skipped: readonly (readonly [string, UncoveredReason])[]
  /** The stamp of its .gitignore, when it has one. */
  readonly rules?: Stamp
}

/** What is known of the tree. */
export interface Reference {
  folder(path: string): KnownFolder | undefined
  readonly rootSeen: Stamp | undefined
  /** Asked once for a folder; `index` is that of the name in it. */
  sameIn(folder: KnownFolder): (index: number, stats: Stats) => boolean
  seenOf(path: string): Stamp | undefined
  isFresh(path: string, stamp: Stamp): boolean
}

type KnownFolder = Omit<Listing, 'seen'> & { readonly path: string }

export type ScanOptions = Partial<ScanLimits> & {
  /** Paths of the project that are left alone: where sessions are kept. */
  readonly skip?: ReadonlySet<string>
  readonly reference?: Reference
}

/** The root must be a real path: no link in it, no '/' at its end. */
export async function scanTree(root: string, options: ScanOptions = {}): Promise<Scan> {
  const { maxFiles, maxMs, maxFileBytes, skip } = { ...SCAN_LIMITS, ...options }
  const { reference } = options
  const keepsTimes = keepsFolderTimes(root)
  const knownFolder = keepsTimes ? reference?.folder : undefined
  const entries = new Map<string, Stamp>()
  const notCovered = new Map<string, UncoveredReason>()
  const visited = new Map<string, Listing | 'same'>()
  const gone: string[] = []
  const waiting: Waiting[] = [wayIn()]
  const end = performance.now() + maxMs
  let pause = performance.now() + BLOCK_MS
  let files = 0
  /** A file was met that the budget has no room for. */
  let isFull = false

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const now = performance.now()
    if (now >= end || isFull) {
      waiting.push(next)
      break
    }
    if (now >= pause) {
      await nextRound()
      pause = performance.now() + BLOCK_MS
    }
    const known = next.isSame ? knownFolder?.(next.folder) : undefined
    const rules = known && rulesIn(root, known.path, next.rules, known.rules !== undefined)
    if (known !== undefined && rules !== undefined && sameRules(known.rules, rules.seen))
      enterAgain(known, rules)
    else enter(next)
  }
  for (const { folder } of waiting) notCovered.set(folder, 'budget')
  return { entries, notCovered, visited, gone, isComplete: waiting.length === 0 && !isFull }

  function wayIn(): Waiting {
    const stats = statsOf(root)
    const seen = typeof stats === 'object' ? stampOf(stats) : undefined
    const isSame =
      reference?.rootSeen !== undefined &&
      typeof seen === 'object' &&
      sameStamp(reference.rootSeen, seen)
    return { folder: '', isSame, hasKnownRules: true, ...(typeof seen === 'object' && { seen }) }
  }

  /** The folder is as it was: its names are known. */
  function enterAgain(known: KnownFolder, rules: Rules): void {
    const { path: folder, names, skipped } = known
    visited.set(folder, 'same')
    for (const [name, reason] of skipped) notCovered.set(within(folder, name), reason)
    const place = folder === '' ? `${root}/` : `${root}/${folder}/`
    const isAsKnown = reference?.sameIn(known)
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string
      const stats = statsOf(place + name)
      const isSame = typeof stats === 'object' && isAsKnown?.(index, stats) === true
      if (!isSame) look(within(folder, name), name, stats, { rules, hasKnownRules: true })
      else if (stats.isDirectory())
        waiting.push({
          folder: within(folder, name),
          isSame,
          // It may be known and not its names: then it is listed, and known with them from now on.
          seen: stampOf(stats) as Stamp,
          hasKnownRules: true,
          rules,
        })
      else if (files++ >= maxFiles) isFull = true
    }
  }

  function enter({ folder, seen, hasKnownRules, rules: outer }: Waiting): void {
    const place = folder === '' ? root : `${root}/${folder}`
    const startedMs = Date.now()
    const found = namesIn(place)
    if (found === undefined) {
      notCovered.set(folder, 'unreadable')
      return
    }
    const names: string[] = []
    const skipped: [string, UncoveredReason][] = []
    const hasRules = found.some(({ name }) => name === '.gitignore')
    const rules = rulesIn(root, folder, outer, hasRules)
    const known = knownFolder?.(folder)
    const below = {
      rules,
      hasKnownRules: hasKnownRules && known !== undefined && sameRules(known.rules, rules.seen),
    }
    for (const entry of found) {
      const path = within(folder, entry.name)
      if (skip?.has(path)) continue
      const isFolder = entry.isDirectory()
      const reason = reasonToSkip(entry, isFolder, path, rules)
      if (reason === undefined) {
        names.push(entry.name)
        look(path, entry.name, statsOf(`${root}/${path}`), below)
      } else {
        skipped.push([entry.name, reason])
        notCovered.set(path, reason)
      }
    }
    if (seen === undefined) return
    const isOld = !isYoung(seen, startedMs) && !(rules.seen && isYoung(rules.seen, startedMs))
    visited.set(folder, {
      seen,
      isListed: keepsTimes && isOld,
      names,
      skipped,
      ...defined({ rules: rules.seen }),
    })
  }

  function look(
    path: string,
    name: string,
    stats: Stats | 'closed' | undefined,
    below: Pick<Waiting, 'rules' | 'hasKnownRules'>,
  ): void {
    const stamp = typeof stats === 'object' ? stampOf(stats) : undefined
    const reason = reasonNotCovered(name, stats, stamp)
    if (reason !== undefined || typeof stamp !== 'object') {
      gone.push(path)
      // Without a reason it has gone since.
      if (reason !== undefined) notCovered.set(path, reason)
      return
    }
    const isFolder = stamp.type === 'folder'
    if (!isFolder && files++ >= maxFiles) {
      isFull = true
      notCovered.set(path, 'budget')
      return
    }
    if (reference?.isFresh(path, stamp) !== true) entries.set(path, stamp)
    if (!isFolder) return
    const known = below.hasKnownRules ? reference?.seenOf(path) : undefined
    const isSame = known !== undefined && sameStamp(known, stamp)
    waiting.push({ folder: path, isSame, seen: stamp, ...below })
  }

  function reasonNotCovered(
    name: string,
    stats: Stats | 'closed' | undefined,
    stamp: Stamp | 'special' | undefined,
  ): UncoveredReason | undefined {
    if (stats === 'closed') return 'unreadable'
    // Gone since, or a name whose bytes are not Unicode and which cannot be asked for as text.
    if (stamp === undefined) return name.includes('\uFFFD') ? 'name' : undefined
    if (stamp === 'special') return 'special'
    return stamp.type === 'file' && stamp.size > maxFileBytes ? 'large' : undefined
  }
}

type Waiting = {
  readonly folder: string
  /** It is as it was when it was listed. */
  readonly isSame: boolean
  readonly seen?: Stamp
  /** Those of the folders around it. */
  readonly rules?: Rules
  /** They are the same as when it was listed. */
  readonly hasKnownRules: boolean
}

const within = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`

const sameRules = (one: Stamp | undefined, other: Stamp | undefined): boolean =>
  one === undefined || other === undefined ? one === other : sameStamp(one, other)

/** The scan lets others run after so long. */
const BLOCK_MS = 15

/** Not covered whatever a .gitignore says: version control, and what tools fill and can fill again. */
const DERIVED = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  'bower_components',
  '.pnpm-store',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.terraform',
  '.dart_tool',
  'DerivedData',
])

/** Where a restore keeps what it moves, while it runs. */
export const STAGING = fixedStart(layout.project.staging)

function reasonToSkip(
  entry: Dirent,
  isFolder: boolean,
  path: string,
  rules: Rules,
): UncoveredReason | undefined {
  if (isGit(entry.name)) return 'derived'
  if (isFolder && (DERIVED.has(entry.name) || entry.name.startsWith(STAGING))) return 'derived'
  return isIgnored(rules.read(), path, entry.name, isFolder) ? 'ignored' : undefined
}

function statsOf(place: string): Stats | 'closed' | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })
  } catch (error) {
    // A folder on the way was replaced meanwhile, or may be listed and not entered.
    return isMissing(error) ? undefined : 'closed'
  }
}

/** Empty when the folder is gone, undefined when it is closed to us. */
function namesIn(place: string): Dirent[] | undefined {
  try {
    return readdirSync(place, { withFileTypes: true })
  } catch (error) {
    return isMissing(error) ? [] : undefined
  }
}

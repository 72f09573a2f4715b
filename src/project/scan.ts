/**
 * What lies in the project: every covered file, link and folder with its stamp, and by name everything that
 * is not covered. Links are listed and never followed, nothing outside the root is looked at, and the scan
 * ends within its budget however large the tree is; what it did not reach is named too.
 */
import { lstatSync, readdirSync, readFileSync, type Dirent, type Stats } from 'node:fs'
import { setImmediate as nextRound } from 'node:timers/promises'
import { layout } from '../format/layout.ts'
import { fixedStart } from '../format/paths.ts'
import { isMissing } from '../fs/fs-error.ts'
import { isGit, type Stamp, type UncoveredReason } from './file-state.ts'
import { isIgnored, readRules, type IgnoreRules } from './ignore.ts'
import { stampOf } from './beneath-root.ts'

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
  readonly entries: ReadonlyMap<string, Stamp>
  readonly notCovered: ReadonlyMap<string, UncoveredReason>
  /** False when the budget ended first. */
  readonly isComplete: boolean
}

export type ScanOptions = Partial<ScanLimits> & {
  /** Paths of the project that are left alone: where sessions are kept. */
  readonly skip?: ReadonlySet<string>
}

/** The root must be a real path: no link in it, no '/' at its end. */
export async function scanTree(root: string, options: ScanOptions = {}): Promise<Scan> {
  const { maxFiles, maxMs, maxFileBytes, skip } = { ...SCAN_LIMITS, ...options }
  const entries = new Map<string, Stamp>()
  const notCovered = new Map<string, UncoveredReason>()
  const waiting: Waiting[] = [{ folder: '', rules: undefined }]
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
    enter(next)
  }
  for (const { folder } of waiting) notCovered.set(folder, 'budget')
  return { entries, notCovered, isComplete: waiting.length === 0 && !isFull }

  function enter({ folder, rules: outer }: Waiting): void {
    const place = folder === '' ? root : `${root}/${folder}`
    const names = namesIn(place)
    if (names === undefined) {
      notCovered.set(folder, 'unreadable')
      return
    }
    const rules = rulesOf(names, place, folder, outer)
    for (const entry of names) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (skip?.has(path)) continue
      const isFolder = entry.isDirectory()
      const reason = reasonToSkip(entry, isFolder, path, rules)
      if (reason !== undefined) {
        notCovered.set(path, reason)
      } else if (files >= maxFiles && !isFolder) {
        isFull = true
        notCovered.set(path, 'budget')
      } else {
        look(path, entry.name, isFolder, rules)
      }
    }
  }

  function look(path: string, name: string, isFolder: boolean, rules: IgnoreRules | undefined) {
    const stats = statsOf(`${root}/${path}`)
    if (stats === 'closed') {
      notCovered.set(path, 'unreadable')
      return
    }
    if (stats === undefined) {
      // Gone since, or a name whose bytes are not Unicode and which cannot be asked for as text.
      if (name.includes('\uFFFD')) notCovered.set(path, 'name')
      return
    }
    const stamp = stampOf(stats)
    if (stamp === 'special') {
      notCovered.set(path, 'special')
    } else if (stamp.type === 'file' && stamp.size > maxFileBytes) {
      notCovered.set(path, 'large')
    } else {
      entries.set(path, stamp)
      if (stamp.type !== 'folder') files++
      else if (isFolder) waiting.push({ folder: path, rules })
    }
  }
}

type Waiting = { readonly folder: string; readonly rules: IgnoreRules | undefined }

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
  rules: IgnoreRules | undefined,
): UncoveredReason | undefined {
  if (isGit(entry.name)) return 'derived'
  if (isFolder && (DERIVED.has(entry.name) || entry.name.startsWith(STAGING))) return 'derived'
  return isIgnored(rules, path, entry.name, isFolder) ? 'ignored' : undefined
}

const MAX_RULES_BYTES = 256 * 1024

function rulesOf(
  names: readonly Dirent[],
  place: string,
  folder: string,
  outer: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const file = names.find((entry) => entry.name === '.gitignore')
  if (file?.isFile() !== true) return outer
  try {
    const stats = lstatSync(`${place}/.gitignore`)
    if (!stats.isFile() || stats.size > MAX_RULES_BYTES) return outer
    return readRules(readFileSync(`${place}/.gitignore`, 'utf8'), folder, outer)
  } catch {
    // Rules that cannot be read rule nothing: more is covered, not less.
    return outer
  }
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

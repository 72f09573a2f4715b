/**
 * A home on a local disk. Files are 0600 and folders 0700 whatever the umask; nothing is read or written
 * through a link that leads out; what is acknowledged as durable survives a power cut. Calls that take
 * microseconds are made at once, those that wait for the disk leave the process free to go on.
 */
import { readdirSync, realpathSync, type Dirent, type Stats } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { openAppendOn, openForReading, readFileOn, readWhole } from './disk-files.ts'
import { identityOf, isInside, lookAt, makeFolders, openRoot, refusedLink } from './disk-root.ts'
import {
  leftTemporaryIn,
  copyOn,
  shareOn,
  createExclusiveOn,
  isTemporary,
  removeOn,
  renameOn,
  writeAtomicOn,
} from './disk-steps.ts'
import { watchFolder } from './disk-watch.ts'
import { codeOf } from './fs-error.ts'
import type { Entry, FileStat, SessionFs } from './session-fs.ts'

/** Between two chances for others to run. */
const STATS_AT_ONCE = 500

type DiskOptions = {
  readonly pollMs?: number
  /** No home of ours: a place for files of the moment, or one of the person's own. Whose it is does not matter there. */
  readonly ofAnyone?: boolean
}

/** Throws when the root exists and belongs to another user. A missing root is made by the first write. */
export function openDisk(folder: string, options: DiskOptions = {}): SessionFs {
  const root = openRoot(folder, options)
  const { place, target } = root
  return {
    backend: 'disk',
    conventions: process.platform === 'win32' ? 'windows' : 'posix',
    nativePath: root.native,
    diskPath: root.native,
    isShared: true,
    lockKey: (path) => realPath(place(path)),

    stat: async (path) => toFileStat(lookAt(place(path))),
    // Only the last step is looked at, not the way: sizes and times tell nothing worth a second look each.
    statMany: async (paths) => {
      const stats: (FileStat | undefined)[] = []
      for (const path of paths) {
        if (stats.length > 0 && stats.length % STATS_AT_ONCE === 0) await nextRound()
        stats.push(toFileStat(lookAt(root.native(path))))
      }
      return stats
    },
    list: async (path) => listFolder(root.folder, place(path)),

    read: async (path) => readWhole(place(path)),
    openRead: async (path) => {
      const file = openForReading(place(path))
      return file && readFileOn(file)
    },
    openAppend: async (path) => openAppendOn(root, target(path)),

    writeAtomic: async (path, bytes, { durable }) =>
      writeAtomicOn(root, target(path), bytes, durable),
    createExclusive: async (path, bytes) => createExclusiveOn(target(path), bytes),
    mkdir: async (path) => void makeFolders(target(path)),
    rename: async (from, to) => {
      const moved = [place(from), target(to)] as const
      forgetBelow(root.durable, moved)
      await renameOn(...moved)
    },
    remove: async (path) => removeOn(place(path)),
    copy: async (from, to) => copyOn(place(from), target(to)),
    share: async (from, to) => shareOn(place(from), target(to)),
    leftTemporary: async (path) => leftTemporaryIn(place(path)).map((below) => `${path}/${below}`),

    watch: (folder, onChange) => watchFolder(place(folder), onChange, options.pollMs ?? 2000),
  }
}

/** A folder that comes back to its name has to be synced there again. */
function forgetBelow(durable: Map<string, string>, moved: readonly string[]): void {
  for (const folder of durable.keys())
    if (moved.some((each) => folder === each || folder.startsWith(each + path.sep)))
      durable.delete(folder)
}

function listFolder(root: string, full: string): readonly Entry[] {
  const there = lookAt(full)
  if (there === undefined) return []
  // Reading a folder follows a link in its place, unlike opening a file.
  if (there.isSymbolicLink() && !isInside(root, full)) throw refusedLink(full)
  try {
    const entries: Entry[] = []
    for (const entry of readdirSync(full, { withFileTypes: true }))
      if (!isTemporary(entry.name)) entries.push({ name: entry.name, kind: kindOf(entry) })
    return entries
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

const kindOf = (entry: Dirent | Stats): Entry['kind'] => {
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'folder' : 'other'
}

const toFileStat = (stats: Stats | undefined): FileStat | undefined =>
  stats && {
    kind: kindOf(stats),
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    identity: identityOf(stats),
  }

/** Resolves what exists; the rest of the name stays as it is given. */
function realPath(full: string): string {
  try {
    return realpathSync.native(full)
  } catch (error) {
    const parent = path.dirname(full)
    if (parent === full) throw error
    return path.join(realPath(parent), path.basename(full))
  }
}

/**
 * What stands at a path of the project, as far as it can be brought back: the content and mode of a file, the
 * target of a link, the mode of a folder. Owners, extended attributes and hard links are not part of it.
 */

export type FileState =
  | {
      readonly type: 'file'
      readonly sha256: string
      readonly size: number
      readonly mode: number
    }
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'folder'; readonly mode: number }
  /** Something is or was there, and its content was never had. */
  | { readonly type: 'unknown'; readonly reason: UncoveredReason }

/** A path where nothing is. */
export type Absent = null

/** Why something in the project cannot be brought back. */
export type UncoveredReason =
  /** By a .gitignore. */
  | 'ignored'
  /** A folder that tools fill and can fill again, or that belongs to version control. */
  | 'derived'
  /** Over the size of one file. */
  | 'large'
  /** A pipe, a socket, a device. */
  | 'special'
  /** A name or link that is not valid Unicode. */
  | 'name'
  | 'unreadable'
  /** It changed faster than it could be read, or before it was read for the first time. */
  | 'unread'
  /** The scan ended before it. */
  | 'budget'
  /** No room is left for the session's copies. */
  | 'quota'
  /** It lies outside the project. */
  | 'outside'

/** What the file system tells of a path. Equal stamps mean equal content, but for the youngest ones. */
export type Stamp = {
  readonly type: 'file' | 'link' | 'folder'
  readonly size: number
  readonly mode: number
  readonly ino: number
  /** With the fraction that a double holds: about a quarter of a microsecond. */
  readonly mtimeMs: number
  /** Moves with every change, and no program can set it back. */
  readonly ctimeMs: number
  /** Tells a file from a later one that was given the same inode. 0 where it is not known. */
  readonly birthMs: number
}

export function sameState(one: FileState | Absent, other: FileState | Absent): boolean {
  if (one === null || other === null) return one === other
  if (one.type === 'file') {
    return other.type === 'file' && one.sha256 === other.sha256 && one.mode === other.mode
  }
  if (one.type === 'link') return other.type === 'link' && one.target === other.target
  if (one.type === 'folder') return other.type === 'folder' && one.mode === other.mode
  // Two contents that were never had cannot be called equal.
  return false
}

export const sameStamp = (one: Stamp, other: Stamp): boolean =>
  sameBytesLikely(one, other) && one.ctimeMs === other.ctimeMs && one.mode === other.mode

/** The same file with the same size and time of writing: only its mode, name or times were touched. */
export const sameBytesLikely = (one: Stamp, other: Stamp): boolean =>
  one.type === other.type &&
  one.size === other.size &&
  one.mtimeMs === other.mtimeMs &&
  one.ino === other.ino

/** Clocks of file systems tick in steps: a second write within a step leaves the stamp of the first. */
export function isYoung({ mtimeMs, ctimeMs }: Stamp, startedMs: number): boolean {
  const stepMs = mtimeMs % 1000 === 0 ? 2000 : 100
  return Math.max(mtimeMs, ctimeMs) > startedMs - stepMs
}

/** Set-user-id and its like are not given back to files: a session may come from another person. */
export const fileMode = (mode: number): number => mode & 0o777
/** A folder's group and sticky bits rule what is created in it. */
export const folderMode = (mode: number): number => mode & 0o3777

/** Relative, with '/' between names, without a way up or into version control. Journals from elsewhere pass here. */
export function isProjectPath(path: unknown): path is string {
  if (typeof path !== 'string' || path === '' || !path.isWellFormed()) return false
  if (path.includes('\0')) return false
  return path
    .split('/')
    .every((name) => name !== '' && name !== '.' && name !== '..' && !isGit(name))
}

/** Some file systems do not tell cases apart, and Windows drops dots and spaces at the end. */
export const isGit = (name: string): boolean => /^\.git[. ]*$/i.test(name)

/** The folders around a path, outermost first. */
export function foldersAround(path: string): string[] {
  const folders: string[] = []
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    folders.push(path.slice(0, end))
  }
  return folders
}

/**
 * What a line of the journal tells: a tool call that changed files, of the project or of the session's own folder, or a
 * restore of them.
 */
import { isProjectPath, type Absent, type FileState } from './file-state.ts'
import { isSha256 } from './sha256.ts'

export type FileChange = {
  /** From the project's root, with '/' between names. */
  readonly path: string
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed'
  readonly before: FileState | Absent
  readonly after: FileState | Absent
  /** The old path of a file that is renamed to this one; that path has a change of its own. */
  readonly from?: string
  /** Where a deleted file is now. */
  readonly renamedTo?: string
  readonly linesAdded: number
  readonly linesRemoved: number
  /** Set when either side is not text. */
  readonly binary?: true
}

export type ToolEntry = {
  readonly version: 1
  readonly kind: 'tool'
  /** The user.message that began the turn. */
  readonly turnEventId: string
  readonly toolCallId: string
  readonly at: string
  readonly changes: readonly FileChange[]
  /** Other calls that ran meanwhile and may have made some of the changes. */
  readonly alongside?: readonly string[]
  /** The process ended during the call; what changed until it was opened again is included. */
  readonly interrupted?: true
  /** Contents that were not kept: too large, secret, or beyond the quota. All others are with the record. */
  readonly unkept?: readonly string[]
}

export type RestoreEntry = {
  readonly version: 1
  readonly kind: 'restore'
  readonly id: string
  readonly direction: 'rewind' | 'redo'
  /** The restore that a redo takes back. */
  readonly of?: string
  readonly at: string
  readonly changes: readonly FileChange[]
}

/** What became of plan.md, files/ and research/ of the session. Paths are relative to the session's folder. */
type WorkspaceEntry = {
  readonly version: 1
  readonly kind: 'workspace'
  /** The user.message of the turn in or after which it happened; absent before the first. */
  readonly turnEventId?: string
  /** Absent when a person did it, or when it was only noticed. */
  readonly toolCallId?: string
  readonly at: string
  readonly changes: readonly FileChange[]
}

export type WorkspaceRestoreEntry = Omit<RestoreEntry, 'kind'> & {
  readonly kind: 'workspace-restore'
}

export type ProjectEntry = ToolEntry | RestoreEntry
export type JournalEntry = ProjectEntry | WorkspaceEntry | WorkspaceRestoreEntry

export const isOfProject = (entry: JournalEntry): entry is ProjectEntry =>
  entry.kind === 'tool' || entry.kind === 'restore'

export const isOfWorkspace = (
  entry: JournalEntry,
): entry is WorkspaceEntry | WorkspaceRestoreEntry => !isOfProject(entry)

/** A session may come from another person: only what can be meant is taken, and no path that leads out. */
export function parseEntry(line: string): JournalEntry | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // The caller counts it as damaged.
    return undefined
  }
  if (!isObject(value) || value['version'] !== 1) return undefined
  if (typeof value['at'] !== 'string' || !Array.isArray(value['changes'])) return undefined
  if (!value['changes'].every(isChange)) return undefined
  return KINDS[String(value['kind'])]?.(value) === true ? (value as JournalEntry) : undefined
}

const KINDS: Readonly<Record<string, (value: Record<string, unknown>) => boolean>> = {
  tool: ({ turnEventId, toolCallId, unkept = [] }) =>
    isText(turnEventId) && isText(toolCallId) && Array.isArray(unkept),
  restore: (value) => isText(value['id']),
  workspace: ({ turnEventId, toolCallId }) => [turnEventId, toolCallId].every(isTextOrAbsent),
  'workspace-restore': (value) => isText(value['id']),
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value)

function isChange(value: unknown): boolean {
  if (!isObject(value)) return false
  const { path, from, renamedTo, before, after } = value
  return (
    isProjectPath(path) &&
    (from === undefined || isProjectPath(from)) &&
    (renamedTo === undefined || isProjectPath(renamedTo)) &&
    (before === null || isFileState(before)) &&
    (after === null || isFileState(after))
  )
}

export function isFileState(value: unknown): value is FileState {
  if (!isObject(value)) return false
  const { type, mode } = value
  if (type === 'link') return typeof value['target'] === 'string'
  if (type === 'unknown') return typeof value['reason'] === 'string'
  if (typeof mode !== 'number' || (mode & ~0o3777) !== 0) return false
  if (type === 'folder') return true
  return type === 'file' && mode <= 0o777 && isSha256(value['sha256'])
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The durable record of what happened to files, of the project and of the session's own folder: one line for every
 * tool call that changed some, one for every restore. A line that was not finished is cut by the next append; a
 * line that cannot be read is passed over and counted, never removed; so is one that this home did not write.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { isProjectPath, type Absent, type FileState } from './file-state.ts'
import { inSession } from '../format/paths.ts'
import { openSealer } from './seal.ts'
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

export interface Journal {
  readonly entries: readonly JournalEntry[]
  /** Lines that could not be read. */
  readonly damaged: number
  /** Lines that this home did not write: nothing is done by them. */
  readonly foreign: readonly JournalEntry[]
  /** Nobody else has added to it since it was read. */
  isCurrent(): Promise<boolean>
  /** Durable when it resolves. */
  append(entry: JournalEntry): Promise<void>
}

/** Where what these turns changed begins; the end when they changed nothing. */
export function positionOf({ entries }: Journal, turnEventIds: readonly string[]): number {
  const turns = new Set<string | undefined>(turnEventIds)
  const first = entries.findIndex((entry) => 'turnEventId' in entry && turns.has(entry.turnEventId))
  return first === -1 ? entries.length : first
}

/** Paths that these turns changed by what another home recorded. */
export const foreignPaths = ({ foreign }: Journal, turnEventIds: readonly string[]): string[] => {
  const ofTurns = foreign.filter(
    (entry) => 'turnEventId' in entry && turnEventIds.includes(entry.turnEventId ?? ''),
  )
  return [...new Set(ofTurns.flatMap(({ changes }) => changes.map(({ path }) => path)))].sort()
}

/** The restore with this id, or the last one that was not taken back and after which nothing was changed. */
export function restoreToRedo(
  { entries }: Journal,
  kind: 'restore' | 'workspace-restore',
  of?: string,
): RestoreEntry | WorkspaceRestoreEntry | undefined {
  const taken = new Set<string | undefined>()
  for (const entry of entries.toReversed()) {
    const isRestore = entry.kind === 'restore' || entry.kind === 'workspace-restore'
    if (!isRestore && of === undefined) return undefined
    if (!isRestore || entry.kind !== kind) continue
    if (entry.direction === 'redo') taken.add(entry.of)
    else if (of === undefined ? !taken.has(entry.id) : entry.id === of) return entry
  }
  return undefined
}

export async function openJournal(fs: SessionFs, dir: string): Promise<Journal> {
  const path = inSession(dir, 'changes')
  const bytes = (await fs.read(path)) ?? new Uint8Array()
  let size = bytes.lastIndexOf(0x0a) + 1
  const entries: JournalEntry[] = []
  const sealer = await openSealer(fs)
  const about = aboutJournal(dir)
  let damaged = 0
  const foreign: JournalEntry[] = []
  for (const line of decodeText(bytes.subarray(0, size)).split('\n')) {
    if (line === '') continue
    const { text, seal } = unsealed(line)
    const isOurs = seal === undefined ? sealer.isOlder(dir) : sealer.isSealed(about, text, seal)
    const entry = parseEntry(text)
    if (entry === undefined) damaged++
    else if (isOurs) entries.push(entry)
    else foreign.push(entry)
  }
  return {
    entries,
    damaged,
    foreign,
    isCurrent: async () => ((await fs.stat(path))?.size ?? 0) === size,
    async append(entry) {
      const text = JSON.stringify(entry)
      const line = encodeText(`${sealed(text, await sealer.seal(about, text))}\n`)
      const file = await fs.openAppend(path)
      try {
        await file.truncate(size)
        await file.write([line], size)
        await file.sync()
      } finally {
        await file.close()
      }
      size += line.length
      entries.push(entry)
    },
  }
}

/** What its lines are sealed for. */
export const aboutJournal = (dir: string): string => `change ${dir}`

/** The seal is the last member of the line, over all before it. */
export const sealed = (text: string, seal: string): string =>
  `${text.slice(0, -1)},"seal":"${seal}"}`

export function unsealed(line: string): {
  readonly text: string
  readonly seal: string | undefined
} {
  const found = SEAL.exec(line)
  if (found === null) return { text: line, seal: undefined }
  return { text: `${line.slice(0, found.index)}}`, seal: found[1] }
}

const SEAL = /,"seal":"([0-9a-f]{64})"\}$/

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
  tool: (value) => isText(value['turnEventId']) && isText(value['toolCallId']),
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

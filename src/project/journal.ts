/**
 * The durable record of what happened to the project's files: one line for every tool call that changed some,
 * one for every restore. A line that was not finished is cut by the next append; a line that cannot be read is
 * passed over and counted, never removed.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { isProjectPath } from './file-state.ts'
import type { Absent, FileState } from './file-state.ts'
import { journalPath } from './places.ts'
import { isSha256 } from './sha256.ts'

export type FileChange = {
  /** From the project's root, with '/' between names. */
  readonly path: string
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed'
  readonly before: FileState | Absent
  readonly after: FileState | Absent
  /** Of a file that is renamed to this path; its old path has a change of its own. */
  readonly from?: string
  /** Of a deleted file: where it is now. */
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

type RestoreEntry = {
  readonly version: 1
  readonly kind: 'restore'
  readonly id: string
  readonly direction: 'rewind' | 'redo'
  /** Of a redo: the restore that it takes back. */
  readonly of?: string
  readonly at: string
  readonly changes: readonly FileChange[]
}

export type JournalEntry = ToolEntry | RestoreEntry

export interface Journal {
  readonly entries: readonly JournalEntry[]
  /** Lines that could not be read. */
  readonly damaged: number
  /** Durable when it resolves. */
  append(entry: JournalEntry): Promise<void>
}

export async function openJournal(fs: SessionFs, dir: string): Promise<Journal> {
  const path = journalPath(dir)
  const bytes = (await fs.read(path)) ?? new Uint8Array()
  let size = bytes.lastIndexOf(0x0a) + 1
  const entries: JournalEntry[] = []
  let damaged = 0
  for (const line of decodeText(bytes.subarray(0, size)).split('\n')) {
    if (line === '') continue
    const entry = parseEntry(line)
    if (entry === undefined) damaged++
    else entries.push(entry)
  }
  return {
    entries,
    damaged,
    async append(entry) {
      const line = encodeText(`${JSON.stringify(entry)}\n`)
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

/** A session may come from somebody else: only what can be meant is taken, and no path that leads out. */
function parseEntry(line: string): JournalEntry | undefined {
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
  const isTool =
    value['kind'] === 'tool' &&
    typeof value['turnEventId'] === 'string' &&
    typeof value['toolCallId'] === 'string'
  const isRestore = value['kind'] === 'restore' && typeof value['id'] === 'string'
  return isTool || isRestore ? (value as JournalEntry) : undefined
}

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

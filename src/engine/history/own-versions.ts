/**
 * The session's own files as they were last known, and the record of what became of them. Whatever differs is recorded
 * with its content before and after, beside what tools changed in the project.
 */
import type { FileStat, SessionFs } from '../../fs/session-fs.ts'
import { defined } from '../../lib/defined.ts'
import { describeChanges, type Transition } from '../../project/describe.ts'
import { isProjectPath, sameState, type Absent, type FileState } from '../../project/file-state.ts'
import { isOfWorkspace, type FileChange } from '../../project/journal-entry.ts'
import type { Known as Observed } from '../../project/observe.ts'
import { hashesOf, keepChange } from '../../project/quota.ts'
import type { FileRecord } from '../../project/record.ts'
import { SCAN_LIMITS } from '../../project/scan.ts'
import { sha256Of } from '../../project/sha256.ts'
import { isSameFile, snapshotWorkspace, type WorkspaceSnapshot } from '../../workspace/detect.ts'
import { readOwn } from '../../workspace/own-files.ts'

/** Who changed it: the turn in or after which it happened, and the tool, when it was one. */
export type Changer = {
  readonly turnEventId: string | undefined
  readonly toolCallId?: string
}

export type OwnVersions = FileRecord & {
  readonly fs: SessionFs
  readonly dir: string
  readonly clock: () => Date
  readonly known: Map<string, Known>
  /** All was looked at: what is not known was not there. */
  isWhole: boolean
}

type Known = {
  readonly state: FileState | Absent
  /** Absent when it was so young that a later change may have left the same sign. */
  readonly seen?: FileStat
}

export function openVersions({
  fs,
  dir,
  clock,
  record: { contents, journal },
}: {
  readonly fs: SessionFs
  readonly dir: string
  readonly clock: () => Date
  readonly record: FileRecord
}): OwnVersions {
  const known = new Map<string, Known>()
  for (const { changes } of journal.entries.filter(isOfWorkspace)) {
    for (const { path, after } of changes) known.set(path, { state: after })
  }
  return { fs, dir, clock, contents, journal, known, isWhole: false }
}

/** Records what differs from what was last known; durable when it resolves. Gives what lies in the folder now. */
export async function look(
  versions: OwnVersions,
  by: Changer,
  only?: readonly string[],
): Promise<WorkspaceSnapshot> {
  const { fs, dir, known } = versions
  const seen = await snapshotWorkspace(fs, dir)
  const held = new Set<string>()
  const transitions: Transition[] = []
  for (const path of new Set(only ?? [...known.keys(), ...seen.keys()])) {
    if (!isProjectPath(path)) continue
    const stat = seen.get(path)
    const prior = known.get(path)
    if (prior?.seen !== undefined && stat !== undefined && isSameFile(prior.seen, stat)) continue
    const startedMs = Date.now()
    const after = stat === undefined ? null : await keep(versions, path, held)
    const isSettled = stat !== undefined && stat.mtimeMs < startedMs - YOUNG_MS
    known.set(path, { state: after, ...defined({ seen: isSettled ? stat : undefined }) })
    const before = prior?.state ?? (prior === undefined && !versions.isWhole ? undefined : null)
    // What is seen for the first time has no earlier version.
    if (before === undefined || isSame(before, after)) continue
    transitions.push({ path, before, after })
  }
  if (only === undefined) versions.isWhole = true
  if (transitions.length > 0) await write(versions, by, transitions)
  return seen
}

async function write(
  versions: OwnVersions,
  { turnEventId, toolCallId }: Changer,
  transitions: readonly Transition[],
): Promise<void> {
  const { contents, journal, clock } = versions
  const changes = await describeChanges(transitions, contents.get)
  // A full disk must not stop a tool: what could not be kept is named when it is asked for.
  await survive(versions, changes).catch(() => {})
  const at = clock().toISOString()
  const who = defined({ turnEventId, toolCallId })
  await journal.append({ version: 1, kind: 'workspace', ...who, at, changes })
}

/** What the record needs stays when the session that brought it is gone. */
export async function survive(
  { contents }: OwnVersions,
  changes: readonly FileChange[],
): Promise<void> {
  for (const sha256 of hashesOf(changes.flatMap(({ before, after }) => [before, after])))
    await contents.record(sha256, { survives: true })
}

/** What stands at a path, its content kept if there is room. */
async function keep(
  versions: OwnVersions,
  path: string,
  held: Set<string>,
): Promise<FileState | Absent> {
  const { contents, journal } = versions
  const { state, bytes } = await stateNow(versions, path)
  if (state?.type !== 'file' || bytes === undefined) return state
  held.add(state.sha256)
  // What goes from the tree of the project to make room is read again.
  const room = { contents, journal, known: NOTHING_KNOWN, held }
  // A full disk must not stop a tool.
  await keepChange(state.sha256, bytes, room).catch(() => {})
  return state
}

export async function stateNow(
  { fs, dir }: OwnVersions,
  path: string,
): Promise<{ state: FileState | Absent; bytes?: Uint8Array }> {
  const bytes = await readOwn(fs, dir, path, SCAN_LIMITS.maxFileBytes)
  if (bytes === undefined) return { state: null }
  if (typeof bytes === 'string') return { state: { type: 'unknown', reason: bytes } }
  return { state: fileOf(bytes), bytes }
}

const NOTHING_KNOWN: ReadonlyMap<string, Observed> = new Map()

/** Clocks of file systems tick in steps, at worst of two seconds. */
const YOUNG_MS = 2_000

/** The mode that every file of a session has. */
const OWN_MODE = 0o600

const fileOf = (bytes: Uint8Array): FileState => ({
  type: 'file',
  sha256: sha256Of(bytes),
  size: bytes.length,
  mode: OWN_MODE,
})

export const isSame = (one: FileState | Absent, other: FileState | Absent): boolean =>
  sameState(one, other) || (one?.type === 'unknown' && other?.type === 'unknown')

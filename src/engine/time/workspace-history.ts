/**
 * Earlier versions of the session's own files: plan.md, files/ and research/. Whatever differs from what was last
 * known is recorded with its content before and after, beside what tools changed in the project, so that a rewind
 * can put it back. A path is recorded from the first time on that it is looked at.
 */
import { randomUUID } from 'node:crypto'
import type { FileStat, SessionFs } from '../../fs/session-fs.ts'
import { defined } from '../../lib/defined.ts'
import { describeChanges } from '../../project/describe.ts'
import type { Transition } from '../../project/describe.ts'
import { isProjectPath, sameState } from '../../project/file-state.ts'
import type { Absent, FileState } from '../../project/file-state.ts'
import { isOfWorkspace, positionOf, restoreToRedo } from '../../project/journal.ts'
import type { FileChange, WorkspaceRestoreEntry } from '../../project/journal.ts'
import type { Known as Observed } from '../../project/observe.ts'
import { hashesOf, keepChange } from '../../project/quota.ts'
import type { FileRecord } from '../../project/record.ts'
import { asChange, judgeTrails } from '../../project/restore-plan.ts'
import type { RestoreItem } from '../../project/restore-plan.ts'
import { SCAN_LIMITS } from '../../project/scan.ts'
import { sha256Of } from '../../project/sha256.ts'
import { isSameFile, snapshotWorkspace } from '../../workspace/detect.ts'
import type { WorkspaceSnapshot } from '../../workspace/detect.ts'
import { readOwn, removeOwn, writeOwn } from '../../workspace/own-files.ts'

/** Who changed it: the turn in or after which it happened, and the tool, when it was one. */
type Changer = {
  readonly turnEventId: string | undefined
  readonly toolCallId?: string
}

export type WorkspacePlan = {
  readonly direction: 'rewind' | 'redo'
  /** The restore that a redo takes back. */
  readonly of?: string
  /** In the order of their paths. */
  readonly items: readonly RestoreItem[]
}

export interface WorkspaceHistory {
  /** Records what differs from what was last known; durable when it resolves. Gives what lies in the folder now. */
  look(by: Changer, only?: readonly string[]): Promise<WorkspaceSnapshot>
  /** Back to before these turns; they are named by their user.messages. */
  planRewind(turnEventIds: readonly string[]): Promise<WorkspacePlan>
  planRedo(of: string): Promise<WorkspacePlan | undefined>
  /** What the plan comes to now, every content that it needs in the record. Undefined when nothing is to be changed. */
  prepare(plan: WorkspacePlan): Promise<WorkspaceRestoreEntry | undefined>
  carryOut(entry: WorkspaceRestoreEntry): Promise<void>
  /** However much of it was done. What a person or a program changed since stays; it is told in words. */
  takeBack(entry: WorkspaceRestoreEntry): Promise<readonly string[]>
  /** Adds it to the record, once. */
  finish(entry: WorkspaceRestoreEntry): Promise<void>
  content(state: FileState): Promise<Uint8Array | undefined>
}

export function openWorkspaceHistory({
  fs,
  dir,
  clock,
  record: { contents, journal },
}: {
  readonly fs: SessionFs
  readonly dir: string
  readonly clock: () => Date
  readonly record: FileRecord
}): WorkspaceHistory {
  const known = new Map<string, Known>()
  for (const { changes } of journal.entries.filter(isOfWorkspace)) {
    for (const { path, after } of changes) known.set(path, { state: after })
  }
  /** All was looked at: what is not known was not there. */
  let isWhole = false
  let last: Promise<unknown> = Promise.resolve()

  return {
    look: (by, only) => alone(() => look(by, only)),
    async planRewind(turnEventIds) {
      const since = journal.entries.slice(positionOf(journal, turnEventIds))
      return { direction: 'rewind', items: await judge(since.filter(isOfWorkspace)) }
    },
    async planRedo(of) {
      const entry = restoreToRedo(journal, 'workspace-restore', of)
      if (entry === undefined) return undefined
      return { direction: 'redo', of, items: await judge([entry]) }
    },
    prepare: (plan) => alone(() => prepare(plan)),
    carryOut: (entry) =>
      alone(async () => {
        for (const { path, after } of entry.changes) await put(path, after)
      }),
    takeBack: (entry) => alone(() => takeBack(entry)),
    finish: (entry) => alone(() => finish(entry)),
    content: async (state) => (state.type === 'file' ? contents.get(state.sha256) : undefined),
  }

  function alone<T>(action: () => Promise<T>): Promise<T> {
    const mine = last.then(action)
    last = mine.catch(() => {}) // told to the one who asked
    return mine
  }

  async function look(by: Changer, only?: readonly string[]): Promise<WorkspaceSnapshot> {
    const seen = await snapshotWorkspace(fs, dir)
    const held = new Set<string>()
    const transitions: Transition[] = []
    for (const path of new Set(only ?? [...known.keys(), ...seen.keys()])) {
      if (!isProjectPath(path)) continue
      const stat = seen.get(path)
      const prior = known.get(path)
      if (prior?.seen !== undefined && stat !== undefined && isSameFile(prior.seen, stat)) continue
      const startedMs = Date.now()
      const after = stat === undefined ? null : await keep(path, held)
      const isSettled = stat !== undefined && stat.mtimeMs < startedMs - YOUNG_MS
      known.set(path, { state: after, ...defined({ seen: isSettled ? stat : undefined }) })
      const before = prior?.state ?? (prior === undefined && !isWhole ? undefined : null)
      // What is seen for the first time has no earlier version.
      if (before === undefined || isSame(before, after)) continue
      transitions.push({ path, before, after })
    }
    if (only === undefined) isWhole = true
    if (transitions.length > 0) await write(by, transitions)
    return seen
  }

  async function write({ turnEventId, toolCallId }: Changer, transitions: readonly Transition[]) {
    const changes = await describeChanges(transitions, contents.get)
    // A full disk must not stop a tool: what could not be kept is named when it is asked for.
    await survive(changes).catch(() => {})
    const at = clock().toISOString()
    const who = defined({ turnEventId, toolCallId })
    await journal.append({ version: 1, kind: 'workspace', ...who, at, changes })
  }

  async function survive(changes: readonly FileChange[]): Promise<void> {
    for (const sha256 of hashesOf(changes.flatMap(({ before, after }) => [before, after])))
      await contents.record(sha256, { survives: true })
  }

  /** What stands at a path, its content kept if there is room. */
  async function keep(path: string, held: Set<string>): Promise<FileState | Absent> {
    const { state, bytes } = await stateNow(path)
    if (state?.type !== 'file' || bytes === undefined) return state
    held.add(state.sha256)
    // What goes from the tree of the project to make room is read again.
    const room = { contents, journal, known: NOTHING_KNOWN, held }
    // A full disk must not stop a tool.
    await keepChange(state.sha256, bytes, room).catch(() => {})
    return state
  }

  async function stateNow(
    path: string,
  ): Promise<{ state: FileState | Absent; bytes?: Uint8Array }> {
    const bytes = await readOwn(fs, dir, path, SCAN_LIMITS.maxFileBytes)
    if (bytes === undefined) return { state: null }
    if (typeof bytes === 'string') return { state: { type: 'unknown', reason: bytes } }
    return { state: fileOf(bytes), bytes }
  }

  function judge(entries: readonly { changes: readonly FileChange[] }[]): Promise<RestoreItem[]> {
    return judgeTrails(entries, {
      hasContent: contents.has,
      stateNow: async (path) => (await stateNow(path)).state,
    })
  }

  async function prepare({ direction, of, items }: WorkspacePlan) {
    const changes: FileChange[] = []
    for (const item of items) {
      if (item.verdict !== 'restore') continue
      const { state, bytes } = await stateNow(item.path)
      if (!isSame(state, item.now)) continue
      // Kept as it is now, whatever the quota, so that the other direction can bring it back.
      if (state?.type === 'file' && bytes !== undefined) await contents.put(state.sha256, bytes)
      changes.push(asChange(item))
    }
    if (changes.length === 0) return undefined
    await survive(changes)
    const at = clock().toISOString()
    const entry = { version: 1, kind: 'workspace-restore', id: randomUUID(), direction } as const
    return { ...entry, ...defined({ of }), at, changes }
  }

  async function takeBack({ changes }: WorkspaceRestoreEntry): Promise<readonly string[]> {
    const left: string[] = []
    for (const { path, before, after } of changes.toReversed()) {
      const { state } = await stateNow(path)
      if (isSame(state, before)) continue
      if (isSame(state, after)) await put(path, before)
      else left.push(`${path}: it was changed meanwhile. What is there now stays`)
    }
    return left
  }

  async function finish(entry: WorkspaceRestoreEntry): Promise<void> {
    const isWritten = journal.entries.some((each) => 'id' in each && each.id === entry.id)
    if (!isWritten) await journal.append(entry)
    for (const { path, after } of entry.changes) known.set(path, { state: after })
  }

  async function put(path: string, state: FileState | Absent): Promise<void> {
    if (state === null) return removeOwn(fs, dir, path)
    const bytes = state.type === 'file' ? await contents.get(state.sha256) : undefined
    if (bytes === undefined) throw new Error(`The content of ${path} is damaged or gone`)
    await writeOwn(fs, dir, path, bytes)
  }
}

type Known = {
  readonly state: FileState | Absent
  /** Absent when it was so young that a later change may have left the same sign. */
  readonly seen?: FileStat
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

const isSame = (one: FileState | Absent, other: FileState | Absent): boolean =>
  sameState(one, other) || (one?.type === 'unknown' && other?.type === 'unknown')

/**
 * Earlier versions of the session's own files: plan.md, files/ and research/. A rewind puts them back and a redo brings
 * them again. A path is recorded from the first time on that it is looked at.
 */
import { randomUUID } from 'node:crypto'
import { defined } from '../../lib/defined.ts'
import type { Absent, FileState } from '../../project/file-state.ts'
import { positionOf, restoreToRedo } from '../../project/journal.ts'
import {
  isOfWorkspace,
  type FileChange,
  type WorkspaceRestoreEntry,
} from '../../project/journal-entry.ts'
import { asChange, judgeTrails, type RestoreItem } from '../../project/restore-plan.ts'
import type { WorkspaceSnapshot } from '../../workspace/detect.ts'
import { removeOwn, writeOwn } from '../../workspace/own-files.ts'
import {
  isSame,
  look,
  openVersions,
  stateNow,
  survive,
  type Changer,
  type OwnVersions,
} from './own-versions.ts'

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

export function openWorkspaceHistory(
  options: Parameters<typeof openVersions>[0],
): WorkspaceHistory {
  const versions = openVersions(options)
  const { contents, journal } = versions
  let last: Promise<unknown> = Promise.resolve()

  function alone<T>(action: () => Promise<T>): Promise<T> {
    const mine = last.then(action)
    last = mine.catch(() => {}) // told to the one who asked
    return mine
  }

  return {
    look: (by, only) => alone(() => look(versions, by, only)),
    async planRewind(turnEventIds) {
      const since = journal.entries.slice(positionOf(journal, turnEventIds))
      return { direction: 'rewind', items: await judge(versions, since.filter(isOfWorkspace)) }
    },
    async planRedo(of) {
      const entry = restoreToRedo(journal, 'workspace-restore', of)
      if (entry === undefined) return undefined
      return { direction: 'redo', of, items: await judge(versions, [entry]) }
    },
    prepare: (plan) => alone(() => prepare(versions, plan)),
    carryOut: (entry) =>
      alone(async () => {
        for (const { path, after } of entry.changes) await put(versions, path, after)
      }),
    takeBack: (entry) => alone(() => takeBack(versions, entry)),
    finish: (entry) => alone(() => finish(versions, entry)),
    content: async (state) => (state.type === 'file' ? contents.get(state.sha256) : undefined),
  }
}

function judge(
  versions: OwnVersions,
  entries: readonly { changes: readonly FileChange[] }[],
): Promise<RestoreItem[]> {
  return judgeTrails(entries, {
    hasContent: versions.contents.has,
    stateNow: async (path) => (await stateNow(versions, path)).state,
  })
}

async function prepare(versions: OwnVersions, { direction, of, items }: WorkspacePlan) {
  const { contents, clock } = versions
  const changes: FileChange[] = []
  for (const item of items) {
    if (item.verdict !== 'restore') continue
    const { state, bytes } = await stateNow(versions, item.path)
    if (!isSame(state, item.now)) continue
    // Kept as it is now, whatever the quota, so that the other direction can bring it back.
    if (state?.type === 'file' && bytes !== undefined) await contents.put(state.sha256, bytes)
    changes.push(asChange(item))
  }
  if (changes.length === 0) return undefined
  await survive(versions, changes)
  const at = clock().toISOString()
  const entry = { version: 1, kind: 'workspace-restore', id: randomUUID(), direction } as const
  return { ...entry, ...defined({ of }), at, changes }
}

async function takeBack(
  versions: OwnVersions,
  { changes }: WorkspaceRestoreEntry,
): Promise<readonly string[]> {
  const left: string[] = []
  for (const { path, before, after } of changes.toReversed()) {
    const { state } = await stateNow(versions, path)
    if (isSame(state, before)) continue
    if (isSame(state, after)) await put(versions, path, before)
    else left.push(`${path}: it was changed meanwhile. What is there now stays`)
  }
  return left
}

async function finish(
  { journal, known }: OwnVersions,
  entry: WorkspaceRestoreEntry,
): Promise<void> {
  const isWritten = journal.entries.some((each) => 'id' in each && each.id === entry.id)
  if (!isWritten) await journal.append(entry)
  for (const { path, after } of entry.changes) known.set(path, { state: after })
}

async function put(
  { fs, dir, contents }: OwnVersions,
  path: string,
  state: FileState | Absent,
): Promise<void> {
  if (state === null) return removeOwn(fs, dir, path)
  const bytes = state.type === 'file' ? await contents.get(state.sha256) : undefined
  if (bytes === undefined) throw new Error(`The content of ${path} is damaged or gone`)
  await writeOwn(fs, dir, path, bytes)
}

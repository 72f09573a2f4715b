/** Before a tool call: the content of every covered file is had, and the call is written down as begun. */
import { deferred } from '../lib/deferred.ts'
import { foldersAround, isProjectPath, type FileState } from './file-state.ts'
import { absorb, readAll } from './read-tree.ts'
import {
  intoRecord,
  isSettled,
  noteBlob,
  orNamed,
  save,
  scan,
  see,
  type Tracking,
} from './tracking.ts'

export type Call = {
  readonly toolCallId: string
  /** The user.message that began the turn. */
  readonly turnEventId: string
  /** Paths of the project that the call's arguments name; they are had even where others are ignored. */
  readonly paths?: readonly string[]
  /** `paths` for a tool that writes only what its arguments name; `project` for any other. */
  readonly reach?: 'paths' | 'project'
}

export async function beginCall(tracking: Tracking, call: Call): Promise<void> {
  const { baseline, limits, clock } = tracking
  const { toolCallId, turnEventId, reach = 'project' } = call
  const paths = [...new Set((call.paths ?? []).filter(isProjectPath).flatMap(withFolders))]
  // While others run, what they changed so far is theirs to tell.
  const isAlone = baseline.calls.size === 0
  const absent: string[] = []
  for (const path of paths) {
    if (isAlone || !isSettled(tracking, path))
      baseline.learn(path, await see(tracking, path, 'change'))
    const state = await recorded(tracking, path)
    if (state === undefined) absent.push(path)
  }
  if (isAlone && reach === 'project') {
    // Git's packs are held from here until the call has ended: it may remove them.
    await absorb(tracking, await scan(tracking))
    await within(limits.waitMs, readAll(tracking))
  }
  const at = clock().toISOString()
  const isCaptured = baseline.pending.size === 0
  baseline.begin({ toolCallId, turnEventId, at, reach, paths, absent, isCaptured })
  await save(tracking)
}

const withFolders = (path: string): string[] => [...foldersAround(path), path]

/** What stands there, with its content in the record. */
async function recorded(tracking: Tracking, path: string): Promise<FileState | undefined> {
  const { baseline, contents } = tracking
  const known = baseline.known.get(path)
  if (known?.state.type !== 'file') return known?.state
  noteBlob(tracking, known)
  await intoRecord(tracking, known.state.sha256, true)
  if (known.blob === undefined || contents.recorded().has(known.state.sha256)) return known.state
  // Git does not have it any more.
  baseline.learn(path, undefined)
  baseline.learn(path, await see(tracking, path, 'change'))
  return baseline.known.get(path)?.state
}

/** Waits for the work, but not longer; it goes on. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  if (ms <= 0) return orNamed(Promise.race([work, Promise.resolve()]))
  const { promise, resolve } = deferred<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

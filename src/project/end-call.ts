/**
 * After a tool call: what differs is told, and is durable when it is. Shell commands are seen like edits, because the
 * tree is compared and not the tool believed. Calls may overlap: what changed meanwhile is told once, by the call that
 * ends first, with the names of the others.
 */
import { defined } from '../lib/defined.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import type { OpenCall } from './baseline-state.ts'
import { lookAt } from './beneath-root.ts'
import { describeChanges, type Transition } from './describe.ts'
import { sameStamp, sameState, type Absent, type FileState, type Stamp } from './file-state.ts'
import type { FileChange, ToolEntry } from './journal-entry.ts'
import type { Known } from './observe.ts'
import { hashesOf } from './quota.ts'
import { shareTree } from './read-tree.ts'
import type { Scan } from './scan.ts'
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

/**
 * A command that rewrites thousands of files must not wait for a sync of each. The rest reaches the disk within
 * seconds by itself, and what a power cut tears is known by its hash.
 */
const MAX_SYNCED = 256

export async function endCall(tracking: Tracking, toolCallId: string): Promise<FileChange[]> {
  const call = tracking.baseline.calls.get(toolCallId)
  return call === undefined ? [] : finish(tracking, call)
}

/** Ends the calls that another process began and could not end. */
export async function endInterrupted(tracking: Tracking): Promise<void> {
  const { baseline, journal } = tracking
  for (const call of Array.from(baseline.calls.values())) {
    const told = journal.entries.find(
      (entry) => entry.kind === 'tool' && entry.toolCallId === call.toolCallId,
    )
    // The line was written and the process ended before the baseline was.
    for (const { path } of told?.changes ?? [])
      baseline.learn(path, await see(tracking, path, 'tree'))
    if (told === undefined) await finish(tracking, call, { interrupted: true })
    baseline.end(call.toolCallId)
  }
  await save(tracking)
}

async function finish(
  tracking: Tracking,
  call: OpenCall,
  mark: { interrupted?: true } = {},
): Promise<FileChange[]> {
  const { baseline, contents, git, held } = tracking
  const others = [...baseline.calls.values()].filter((other) => other !== call)
  const ofOthers = new Set(
    others.flatMap(({ paths }) => paths).filter((path) => !call.paths.includes(path)),
  )
  const seen = call.reach === 'project' ? await scan(tracking) : undefined
  const transitions: Transition[] = []
  const learnt: [string, Known | undefined][] = []
  for (const path of suspects(tracking, call, seen)) {
    if (ofOthers.has(path)) continue
    const prior = baseline.known.get(path)
    noteBlob(tracking, prior)
    // Before anything is waited for: the reading goes on meanwhile, and what it then knows is not from before.
    const was = prior?.state ?? stateBefore(tracking, path, call, mark.interrupted === true)
    const now = await see(tracking, path, 'change')
    learnt.push([path, now])
    const is = now?.state ?? null
    if (sameState(was, is) || (was?.type === 'unknown' && is?.type === 'unknown')) continue
    transitions.push({
      path,
      before: was,
      after: is,
      seenBefore: prior?.seen,
      seenAfter: now?.seen,
    })
  }
  const changes = await describeChanges(transitions, contents.get)
  if (changes.length > 0) await record(tracking, call, changes, { others, ...mark })
  for (const [path, now] of learnt) baseline.learn(path, now)
  if (seen !== undefined && others.length === 0) baseline.nameUncovered(seen.notCovered)
  baseline.end(call.toolCallId)
  held.clear()
  if (others.length === 0) git.release()
  // Reading may have gone on while the call ran, and this process may end before it is done.
  if (seen !== undefined) await orNamed(shareTree(tracking))
  await save(tracking)
  return changes
}

async function record(
  tracking: Tracking,
  { toolCallId, turnEventId }: OpenCall,
  changes: readonly FileChange[],
  { others, interrupted }: { others: readonly OpenCall[]; interrupted?: true },
): Promise<void> {
  const hashes = new Set(hashesOf(changes.flatMap(({ before, after }) => [before, after])))
  await inLanes([...[...hashes].entries()], 8, ([index, sha256]) =>
    intoRecord(tracking, sha256, index < MAX_SYNCED),
  )
  const kept = tracking.contents.recorded()
  const unkept = [...hashes].filter((sha256) => !kept.has(sha256))
  const entry: ToolEntry = {
    version: 1,
    kind: 'tool',
    turnEventId,
    toolCallId,
    at: tracking.clock().toISOString(),
    changes,
    ...(others.length > 0 && { alongside: others.map((other) => other.toolCallId) }),
    ...defined({ interrupted }),
    unkept,
  }
  await tracking.journal.append(entry)
}

/** Paths that may have changed since they were known. */
function suspects({ root, baseline }: Tracking, call: OpenCall, seen: Scan | undefined): string[] {
  const paths = new Set(call.paths)
  if (seen === undefined) return [...paths]
  const isAsKnown = (path: string, stamp: Stamp): boolean => {
    const waiting = baseline.pending.get(path)
    // Not read yet and not touched either: reading it later gives what it was before the call.
    return waiting ? sameStamp(waiting, stamp) : baseline.known.isFresh(path, stamp)
  }
  for (const [path, stamp] of seen.entries) {
    if (!isAsKnown(path, stamp)) paths.add(path)
  }
  for (const path of [...baseline.known.unseen(seen), ...baseline.pending.keys()]) {
    if (seen.entries.has(path)) continue
    // Not listed any more: gone, or only ignored from now on.
    const look = lookAt(root, path)
    if (look === undefined || look === 'special' || !isAsKnown(path, look)) paths.add(path)
  }
  return [...paths]
}

/** At a path that is not known nothing was there only if it would have been seen. */
function stateBefore(
  tracking: Tracking,
  path: string,
  call: OpenCall,
  isInterrupted: boolean,
): FileState | Absent {
  if (call.absent.includes(path)) return null
  // What the other process had seen and not read yet is not known here.
  const isSure = !isInterrupted || call.isCaptured
  return isSure && isSettled(tracking, path) ? null : { type: 'unknown', reason: 'unread' }
}

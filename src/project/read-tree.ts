/**
 * Makes the content of every covered file known, so that it is had before a call changes it. What changed between
 * calls is taken over: it is no call's work, and not to be taken back.
 */
import { lookAt } from './beneath-root.ts'
import { sameStamp, type Stamp } from './file-state.ts'
import type { Known } from './observe.ts'
import { fitsTree, isTreeFull } from './quota.ts'
import type { Scan } from './scan.ts'
import { orNamed, save, scan, see, type Tracking } from './tracking.ts'

/** Finds what has to be read: all of the tree for the first time, later what changed. */
export async function lookAtTree(tracking: Tracking): Promise<void> {
  const { baseline, contents } = tracking
  if (baseline.calls.size > 0) return
  if (isTreeFull(contents)) {
    await save(tracking)
    await orNamed(contents.tidyTree())
  }
  await absorb(tracking, await scan(tracking))
}

/** What git has need not be held when nobody changes anything. */
export async function letGo({ baseline, git }: Tracking): Promise<void> {
  if (baseline.calls.size === 0) git.release()
}

/** Reads it. May go on while calls begin and end. */
export async function readAll(tracking: Tracking): Promise<void> {
  await tracking.baseline.catchUp((path, stamp) => readLate(tracking, path, stamp))
  await orNamed(shareTree(tracking))
  await save(tracking)
}

async function readLate(
  tracking: Tracking,
  path: string,
  stamp: Stamp,
): Promise<Known | undefined> {
  const now = await see(tracking, path, 'tree')
  if (tracking.baseline.calls.size === 0) return now
  // A call is running: only what was not touched since is what was there before it.
  if (now !== undefined && sameStamp(now.seen, stamp)) return now
  return { state: { type: 'unknown', reason: 'unread' }, seen: stamp, isYoung: true }
}

/** The next session in this project begins with what is known here, and reads the rest. */
export async function shareTree(tracking: Tracking): Promise<void> {
  const { baseline, contents, limits } = tracking
  const { latest } = tracking
  if (latest === undefined || baseline.calls.size > 0 || !baseline.isWorthSharing(latest)) return
  const packs = await contents.tree.settle()
  const { gitMark: git } = tracking
  await baseline.share(latest, { maxFileBytes: limits.maxFileBytes, packs, git })
}

export async function absorb(tracking: Tracking, seen: Scan): Promise<void> {
  const { root, baseline, git } = tracking
  for (const path of baseline.known.unseen(seen)) {
    const look = lookAt(root, path)
    if (look === undefined || look === 'special') baseline.learn(path, undefined)
    else if (!baseline.known.isFresh(path, look)) baseline.postpone(path, look)
  }
  for (const path of Array.from(baseline.pending.keys())) {
    if (!seen.entries.has(path) && lookAt(root, path) === undefined) baseline.learn(path, undefined)
  }
  for (const [path, stamp] of seen.entries) baseline.postpone(path, stamp)
  const mark = git.hold(() => blobsOf(baseline.known))
  const isMoved = mark !== tracking.gitMark
  tracking.gitMark = mark
  // When git's packs have changed, everything that they had is looked for.
  for (const [path, known] of isMoved ? [...baseline.known] : Array.from(baseline.known.own))
    if (known !== undefined && isMissed(tracking, known, isMoved))
      baseline.postpone(path, known.seen)
  baseline.nameUncovered(seen.notCovered)
}

function* blobsOf(known: Iterable<[string, Known]>): Iterable<string> {
  for (const [, { blob }] of known) if (blob !== undefined) yield blob
}

/** Its content was not kept, and could be now. */
function isMissed({ contents, git }: Tracking, { state, blob }: Known, isMoved: boolean): boolean {
  if (state.type !== 'file' || contents.has(state.sha256)) return false
  if (blob !== undefined) return isMoved && !git.has(blob)
  return fitsTree(state.size, contents)
}

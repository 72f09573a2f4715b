/**
 * Watches what tool calls do to the project. Before a call the content of every covered file is had; after it
 * the differences are told, and are durable when they are. Shell commands are seen like edits, because the
 * tree is compared and not the tool believed. Calls may overlap: what changed meanwhile is told once, by the
 * call that ends first, with the names of the others.
 */
import { deferred } from '../lib/deferred.ts'
import { inLanes } from '../lib/in-lanes.ts'
import { foldersAround, isProjectPath, sameStamp, sameState } from './file-state.ts'
import type { Absent, FileState, Stamp } from './file-state.ts'
import type { Baseline, OpenCall } from './baseline.ts'
import type { Contents } from './contents.ts'
import type { GitContents } from './git-contents.ts'
import { describeChanges, type Transition } from './describe.ts'
import type { FileChange, Journal, ToolEntry } from './journal.ts'
import { observe, type Known } from './observe.ts'
import { fitsTree, hashesOf, isTreeFull, keepChange, keepTree } from './quota.ts'
import { scanTree, type Scan, type ScanLimits } from './scan.ts'
import { lookAt } from './beneath-root.ts'

export type Call = {
  readonly toolCallId: string
  /** The user.message that began the turn. */
  readonly turnEventId: string
  /** Paths of the project that the call's arguments name; they are had even where others are ignored. */
  readonly paths?: readonly string[]
  /** `paths` for a tool that writes only what its arguments name; `project` for any other. */
  readonly reach?: 'paths' | 'project'
}

type Tracked = {
  readonly root: string
  readonly skip: ReadonlySet<string>
  readonly limits: ScanLimits & { readonly waitMs: number }
  readonly clock: () => Date
  readonly baseline: Baseline
  readonly contents: Contents
  readonly git: GitContents
  readonly journal: Journal
}

interface Tracker {
  /** Finds what has to be read: all of the tree for the first time, later what changed. */
  look(): Promise<void>
  /** Reads it. May go on while calls begin and end. */
  read(): Promise<void>
  before(call: Call): Promise<void>
  after(toolCallId: string): Promise<FileChange[]>
  /** Ends the calls that another process began and could not end. */
  endInterrupted(): Promise<void>
}

export function track(tracked: Tracked): Tracker {
  const { root, skip, limits, clock, baseline, contents, git, journal } = tracked
  const held = new Set<string>()
  let latest: Scan | undefined
  /** By what git's packs were known when all that they have was last looked for. */
  let gitMark = baseline.known.gitMark ?? ''
  return { look, read, before, after, endInterrupted }

  async function look(): Promise<void> {
    if (baseline.calls.size > 0) return
    if (isTreeFull(contents)) {
      await save()
      await orNamed(contents.tidyTree())
    }
    await absorb(await scan())
  }

  async function read(): Promise<void> {
    await readAll()
    if (baseline.calls.size === 0) git.release()
  }

  async function readAll(): Promise<void> {
    await baseline.catchUp(readLate)
    await orNamed(share())
    await save()
  }

  /** For the next session in this project. */
  async function share(): Promise<void> {
    if (latest === undefined || baseline.calls.size > 0 || !baseline.isWorthSharing()) return
    const packs = await contents.tree.settle()
    await baseline.share(latest, { maxFileBytes: limits.maxFileBytes, packs, git: gitMark })
  }

  async function before(call: Call): Promise<void> {
    const { toolCallId, turnEventId, reach = 'project' } = call
    const paths = [...new Set((call.paths ?? []).filter(isProjectPath).flatMap(withFolders))]
    // While others run, what they changed so far is theirs to tell.
    const isAlone = baseline.calls.size === 0
    const absent: string[] = []
    for (const path of paths) {
      if (isAlone || !isSettled(path)) baseline.learn(path, await see(path, 'change'))
      const state = await ours(path)
      if (state === undefined) absent.push(path)
    }
    if (isAlone && reach === 'project') {
      // Git's packs are held from here until the call has ended: it may remove them.
      await absorb(await scan())
      await within(limits.waitMs, readAll())
    }
    const at = clock().toISOString()
    const isCaptured = baseline.pending.size === 0
    baseline.begin({ toolCallId, turnEventId, at, reach, paths, absent, isCaptured })
    await save()
  }

  /** What stands there, with its content in the record. */
  async function ours(path: string): Promise<FileState | undefined> {
    const known = baseline.known.get(path)
    if (known?.state.type !== 'file') return known?.state
    noteBlob(known)
    await intoRecord(known.state.sha256, true)
    if (known.blob === undefined || contents.recorded().has(known.state.sha256)) return known.state
    // Git does not have it any more.
    baseline.learn(path, undefined)
    baseline.learn(path, await see(path, 'change'))
    return baseline.known.get(path)?.state
  }

  function noteBlob(known: Known | undefined): void {
    if (known?.state.type === 'file' && known.blob !== undefined)
      git.note(known.state.sha256, known.blob)
  }

  async function after(toolCallId: string): Promise<FileChange[]> {
    const call = baseline.calls.get(toolCallId)
    return call === undefined ? [] : finish(call)
  }

  async function endInterrupted(): Promise<void> {
    for (const call of Array.from(baseline.calls.values())) {
      const told = journal.entries.find(
        (entry) => entry.kind === 'tool' && entry.toolCallId === call.toolCallId,
      )
      // The line was written and the process ended before the baseline was.
      for (const { path } of told?.changes ?? []) baseline.learn(path, await see(path, 'tree'))
      if (told === undefined) await finish(call, { interrupted: true })
      baseline.end(call.toolCallId)
    }
    await save()
  }

  async function finish(call: OpenCall, mark: { interrupted?: true } = {}): Promise<FileChange[]> {
    const others = [...baseline.calls.values()].filter((other) => other !== call)
    const ofOthers = new Set(
      others.flatMap(({ paths }) => paths).filter((path) => !call.paths.includes(path)),
    )
    const seen = call.reach === 'project' ? await scan() : undefined
    const transitions: Transition[] = []
    const learnt: [string, Known | undefined][] = []
    for (const path of suspects(call, seen)) {
      if (ofOthers.has(path)) continue
      const prior = baseline.known.get(path)
      noteBlob(prior)
      // Before anything is waited for: the reading goes on meanwhile, and what it then knows is not from before.
      const was = prior?.state ?? stateBefore(path, call, mark.interrupted === true)
      const now = await see(path, 'change')
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
    if (changes.length > 0) await record(call, changes, { others, ...mark })
    for (const [path, now] of learnt) baseline.learn(path, now)
    if (seen !== undefined && others.length === 0) baseline.nameUncovered(seen.notCovered)
    baseline.end(call.toolCallId)
    held.clear()
    if (others.length === 0) git.release()
    await save()
    return changes
  }

  async function record(
    { toolCallId, turnEventId }: OpenCall,
    changes: readonly FileChange[],
    { others, interrupted }: { others: readonly OpenCall[]; interrupted?: true },
  ): Promise<void> {
    const hashes = new Set(hashesOf(changes.flatMap(({ before, after }) => [before, after])))
    await inLanes([...[...hashes].entries()], 8, ([index, sha256]) =>
      intoRecord(sha256, index < MAX_SYNCED),
    )
    const entry: ToolEntry = {
      version: 1,
      kind: 'tool',
      turnEventId,
      toolCallId,
      at: clock().toISOString(),
      changes,
      ...(others.length > 0 && { alongside: others.map((other) => other.toolCallId) }),
      ...(interrupted && { interrupted }),
    }
    await journal.append(entry)
  }

  /** Contents first: what is known to be there must not be missing later. */
  async function save(): Promise<void> {
    await orNamed(contents.tree.flush())
    await baseline.save()
  }

  function intoRecord(sha256: string, survives: boolean): Promise<void> {
    return orNamed(contents.record(sha256, { survives }))
  }

  /** Paths that may have changed since they were known. */
  function suspects(call: OpenCall, seen: Scan | undefined): string[] {
    const paths = new Set(call.paths)
    if (seen === undefined) return [...paths]
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

  function isAsKnown(path: string, stamp: Stamp): boolean {
    const waiting = baseline.pending.get(path)
    // Not read yet and not touched either: reading it later gives what it was before the call.
    if (waiting !== undefined) return sameStamp(waiting, stamp)
    return baseline.known.isFresh(path, stamp)
  }

  /** At a path that is not known nothing was there only if it would have been seen. */
  function stateBefore(path: string, call: OpenCall, isInterrupted: boolean): FileState | Absent {
    if (call.absent.includes(path)) return null
    // What the other process had seen and not read yet is not known here.
    const isSure = !isInterrupted || call.isCaptured
    return isSure && isSettled(path) ? null : { type: 'unknown', reason: 'unread' }
  }

  /** Known, or covered by the last scan and not there. */
  function isSettled(path: string): boolean {
    if (baseline.known.get(path) !== undefined) return true
    const { uncovered } = baseline
    if (uncovered === undefined || baseline.pending.has(path)) return false
    return !['', ...foldersAround(path), path].some((each) => uncovered.has(each))
  }

  /** Takes over what changed between calls: nobody's work here, and not to be taken back. */
  async function absorb(seen: Scan): Promise<void> {
    for (const path of baseline.known.unseen(seen)) {
      const look = lookAt(root, path)
      if (look === undefined || look === 'special') baseline.learn(path, undefined)
      else if (!baseline.known.isFresh(path, look)) baseline.postpone(path, look)
    }
    for (const path of Array.from(baseline.pending.keys())) {
      if (!seen.entries.has(path) && lookAt(root, path) === undefined)
        baseline.learn(path, undefined)
    }
    for (const [path, stamp] of seen.entries) baseline.postpone(path, stamp)
    const mark = git.hold()
    const isMoved = mark !== gitMark
    gitMark = mark
    // When git's packs have changed, everything that they had is looked for.
    for (const [path, known] of isMoved ? [...baseline.known] : Array.from(baseline.known.own))
      if (known !== undefined && isMissed(known, isMoved)) baseline.postpone(path, known.seen)
    baseline.nameUncovered(seen.notCovered)
  }

  /** Its content was not kept, and could be now. */
  function isMissed({ state, blob }: Known, isMoved: boolean): boolean {
    if (state.type !== 'file' || contents.has(state.sha256)) return false
    if (blob !== undefined) return isMoved && !git.has(blob)
    return fitsTree(state.size, contents)
  }

  async function readLate(path: string, stamp: Stamp): Promise<Known | undefined> {
    const now = await see(path, 'tree')
    if (baseline.calls.size === 0) return now
    // A call is running: only what was not touched since is what was there before it.
    if (now !== undefined && sameStamp(now.seen, stamp)) return now
    return { state: { type: 'unknown', reason: 'unread' }, seen: stamp, isYoung: true }
  }

  async function scan(): Promise<Scan> {
    latest = await scanTree(root, { ...limits, skip, reference: baseline.known.reference() })
    return latest
  }

  function see(path: string, purpose: 'change' | 'tree'): Promise<Known | undefined> {
    const keep = async (sha256: string, bytes: Uint8Array): Promise<string | undefined> => {
      const kept = { contents, journal, known: baseline.known, held }
      const blob = purpose === 'tree' && !contents.has(sha256) ? git.find(bytes) : undefined
      if (blob !== undefined) return blob
      if (purpose === 'change') held.add(sha256)
      await orNamed((purpose === 'change' ? keepChange : keepTree)(sha256, bytes, kept))
      return undefined
    }
    const prior = baseline.known.get(path)
    return observe(root, path, { maxFileBytes: limits.maxFileBytes, prior, keep })
  }
}

/**
 * A command that rewrites thousands of files must not wait for a sync of each. The rest reaches the disk within
 * seconds by itself, and what a power cut tears is known by its hash.
 */
const MAX_SYNCED = 256

/** A full disk must not stop a tool: what could not be kept is named when it is asked for. */
const orNamed = async (keeping: Promise<unknown>): Promise<void> => {
  await keeping.catch(() => {}) // as said above
}

const withFolders = (path: string): string[] => [...foldersAround(path), path]

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

/**
 * The user's files, reversible: what every tool call changed is recorded with the contents before and after,
 * and can be taken back, brought again, and asked for its author. It never changes the project on its own, and
 * never takes back what it cannot prove to be the agent's.
 */
import { realpathSync } from 'node:fs'
import { isAbsolute, normalize, relative, resolve, sep } from 'node:path'
import type { SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { openBaseline } from './baseline.ts'
import { missingIn } from './shared-trees.ts'
import { blame, type FileBlame } from './blame.ts'
import { beginCall, type Call } from './begin-call.ts'
import { linesOf } from './describe.ts'
import { endCall, endInterrupted } from './end-call.ts'
import { openGitContents } from './git-contents.ts'
import { isProjectPath } from './file-state.ts'
import { positionOf, restoreToRedo } from './journal.ts'
import { isOfProject, type FileChange } from './journal-entry.ts'
import { observe } from './observe.ts'
import { letGo, lookAtTree, readAll } from './read-tree.ts'
import { QUOTA_BYTES, openRecord, type FileRecord } from './record.ts'
import { coverage, type CoverageReport } from './report.ts'
import { applyRestore, type RestoreResult } from './restore.ts'
import { recoverRestore, type Companion, type Restoring } from './restore-intent.ts'
import { planItems, type RestoreItem, type RestorePlan } from './restore-plan.ts'
import { SCAN_LIMITS, type ScanLimits } from './scan.ts'
import type { Tracking } from './tracking.ts'

type TimeTravelLimits = ScanLimits & {
  /** The size of all copies of one session. */
  readonly quotaBytes: number
  /** How long a call is held back until all content has been read. */
  readonly waitMs: number
}

const LIMITS: TimeTravelLimits = {
  ...SCAN_LIMITS,
  quotaBytes: QUOTA_BYTES,
  waitMs: 10_000,
}

export type TimeTravelOptions = {
  readonly fs: SessionFs
  readonly sessionDir: string
  /** The project's folder. */
  readonly root: string
  readonly clock: () => Date
  /** What the session has recorded, when it is open already. */
  readonly record?: FileRecord
  readonly limits?: Partial<TimeTravelLimits>
} & Pick<Restoring, 'beforeStep' | 'mayGoOn' | 'companionOf'>

type Since =
  /** The user.messages of the turns that are taken back. */
  | { readonly turnEventIds: readonly string[] }
  /** A position in the journal, as `position` tells it. */
  | { readonly position: number }

export interface TimeTravel {
  /** The project's folder, without links in it. */
  readonly root: string
  /** Where the journal ends now. */
  readonly position: number
  /** Reads the project in the background, so that the first call need not wait. */
  warm(): Promise<void>
  /** Absolute paths, or relative to the root; those outside of it are left out. */
  before(call: Call): Promise<void>
  /** What the call changed; durable when it resolves. Nothing for a call that was not begun. */
  after(toolCallId: string): Promise<FileChange[]>
  planRewind(since: Since): Promise<RestorePlan>
  /** Takes back one restore, or the last. Undefined when nothing was rewound, or files were changed since the last. */
  planRedo(of?: string): Promise<RestorePlan | undefined>
  /** Only what the plan says, and of that only what still holds. */
  apply(plan: RestorePlan, companion?: Companion): Promise<RestoreResult>
  redo(of?: string): Promise<RestoreResult | undefined>
  /** The author of each line of a file, as it is now. */
  blame(path: string): Promise<FileBlame>
  report(): Promise<CoverageReport>
}

export async function openTimeTravel(options: TimeTravelOptions): Promise<TimeTravel> {
  const { fs, sessionDir: dir, clock } = options
  const root = realpathSync.native(options.root)
  const limits = { ...LIMITS, ...options.limits }
  const { maxFileBytes } = limits
  const { contents, journal } = options.record ?? (await openRecord(fs, dir, limits.quotaBytes))
  const baseline = await openBaseline(fs, dir, {
    root,
    missingIn: (tree) =>
      missingIn(tree, { packs: contents.tree.packs, has: contents.has }, maxFileBytes),
  })
  const git = openGitContents(root)
  contents.askAlso(git.get)
  const tracking: Tracking = {
    root,
    skip: sessionsIn(fs, dir, root),
    limits,
    clock,
    baseline,
    contents,
    git,
    journal,
    held: new Set(),
    latest: undefined,
    gitMark: baseline.known.gitMark ?? '',
  }
  const { beforeStep, mayGoOn, companionOf } = options
  const can = { beforeStep, mayGoOn, companionOf }
  const restoring = { fs, dir, root, maxFileBytes, clock, contents, journal, ...can }
  const source = { root, maxFileBytes, hasContent: contents.has }
  let last: Promise<unknown> = Promise.resolve()
  let isRecovered = false

  return {
    root,
    get position() {
      return journal.entries.length
    },
    warm: async () => {
      await alone(() => lookAtTree(tracking))
      await readAll(tracking)
      // A call that begins meanwhile holds it from before it is known as one.
      await alone(() => letGo(tracking))
    },
    before: (call) =>
      alone(() => beginCall(tracking, { ...call, paths: (call.paths ?? []).flatMap(inProject) })),
    after: (toolCallId) => alone(() => endCall(tracking, toolCallId)),
    planRewind: (since) =>
      planFrom(
        'rewind',
        'position' in since ? since.position : positionOf(journal, since.turnEventIds),
      ),
    planRedo,
    apply: (plan, companion) => alone(() => apply(plan, companion)),
    redo: (of) =>
      alone(async () => {
        const plan = await planRedo(of)
        return plan && apply(plan)
      }),
    blame: async (path) => {
      const [inside] = inProject(path)
      return inside === undefined ? { kind: 'noSuchFile' } : blameFile(inside)
    },
    report: async () => coverage({ baseline, contents, journal }),
  }

  /** One after another, and not before what an earlier process left undone is settled. */
  function alone<T>(action: () => Promise<T>): Promise<T> {
    const mine = last.then(async () => {
      if (!isRecovered) {
        await recoverRestore(restoring)
        await endInterrupted(tracking)
        isRecovered = true
      }
      return action()
    })
    last = mine.catch(() => {}) // told through `mine`; the next action does not depend on it
    return mine
  }

  async function planFrom(
    direction: 'rewind' | 'redo',
    position: number,
    of?: string,
  ): Promise<RestorePlan> {
    const entries = journal.entries.slice(position).filter(isOfProject)
    const items = await planItems(of === undefined ? entries : entries.slice(0, 1), source)
    return { direction, position, items, ...defined({ of }) }
  }

  async function planRedo(of?: string): Promise<RestorePlan | undefined> {
    const entry = restoreToRedo(journal, 'restore', of)
    return entry && planFrom('redo', journal.entries.indexOf(entry), entry.id)
  }

  async function apply(plan: RestorePlan, companion?: Companion): Promise<RestoreResult> {
    if (baseline.calls.size > 0)
      return { outcome: 'session-busy', restoredFiles: [], skippedFiles: [] }
    const fresh = await planFrom(plan.direction, plan.position, plan.of)
    const wanted = new Map(plan.items.map((item) => [item.path, item]))
    const items = fresh.items.map((item): RestoreItem => {
      const agreed = wanted.get(item.path)
      return agreed?.verdict === 'restore' || item.verdict !== 'restore'
        ? item
        : { ...item, verdict: agreed?.verdict ?? 'drifted' }
    })
    return applyRestore(restoring, { ...fresh, items }, companion)
  }

  async function blameFile(path: string): Promise<FileBlame> {
    let bytes: Uint8Array | undefined
    const keep = async (_: string, content: Uint8Array) => {
      bytes = content
      return undefined
    }
    const now = (await observe(root, path, { maxFileBytes, keep }))?.state ?? null
    const nowLines = bytes && linesOf(bytes)
    const entries = journal.entries.filter(isOfProject)
    return blame(path, { entries, getContent: contents.get, now, nowLines })
  }

  /** Tools may spell the root as they were given it, with links in it. */
  function inProject(path: string): string[] {
    const spelled = isAbsolute(path)
      ? [relative(root, path), relative(resolve(options.root), path)]
      : [normalize(path)]
    return spelled
      .map((each) => each.split(sep).join('/'))
      .filter(isProjectPath)
      .slice(0, 1)
  }
}

/** The home of the sessions, when it lies in the project: it changes with every event. */
function sessionsIn(fs: SessionFs, dir: string, root: string): ReadonlySet<string> {
  const home = fs.diskPath(dir)?.slice(0, -dir.length - 1)
  if (home === undefined) return new Set()
  const inside = relative(root, home).split(sep).join('/')
  return new Set(isProjectPath(inside) ? [inside] : [])
}

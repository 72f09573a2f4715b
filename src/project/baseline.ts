/**
 * The content of every covered file as last seen, so that what a tool changes was had before it ran. Kept
 * beside the journal and derived: after the first time only files whose stamps moved are read. A session begins with
 * what others have seen of the project, and keeps what differs.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { serially } from '../lib/coalesce.ts'
import { readBaseline, writeBaseline } from './baseline-file.ts'
import { emptyBaseline, learn, type BaselineState, type OpenCall } from './baseline-state.ts'
import type { Stamp, UncoveredReason } from './file-state.ts'
import type { KnownFiles } from './known-files.ts'
import type { Known } from './observe.ts'
import type { Scan } from './scan.ts'
import { findTree, writeTree, type NamedTree } from './shared-trees.ts'
import { encodeTree, type Tree, type TreeHead } from './tree-file.ts'

export interface Baseline {
  readonly known: KnownFiles
  /** Seen and not yet read. No path is both known and pending. */
  readonly pending: ReadonlyMap<string, Stamp>
  readonly calls: ReadonlyMap<string, OpenCall>
  /** As the last scan named it; undefined before the first. */
  readonly uncovered: ReadonlyMap<string, UncoveredReason> | undefined
  learn(path: string, known: Known | undefined): void
  /** What was known of it does not hold any more; it is to be read. */
  postpone(path: string, stamp: Stamp): void
  nameUncovered(uncovered: ReadonlyMap<string, UncoveredReason>): void
  begin(call: OpenCall): void
  end(toolCallId: string): void
  /** Reads what is pending, one after another; calls of others wait for the same work. */
  catchUp(read: (path: string, stamp: Stamp) => Promise<Known | undefined>): Promise<void>
  /** So much differs from what others have seen that the next session should begin with this. */
  isWorthSharing(scan: Scan): boolean
  share(scan: Scan, head: Omit<TreeHead, 'seen'>): Promise<void>
  /** Writes what was learnt since. */
  save(): Promise<void>
}

type BaselineOptions = {
  /** The project's folder. */
  readonly root: string
  /** Paths of it whose contents are not there any more; undefined when it cannot be used at all. */
  readonly missingIn: (tree: Tree) => readonly string[] | undefined
}

export async function openBaseline(
  fs: SessionFs,
  dir: string,
  { root, missingIn }: BaselineOptions,
): Promise<Baseline> {
  const path = inSession(dir, 'baseline')
  const state = emptyBaseline()
  const { known, pending, calls } = state
  const begin = (found: NamedTree | undefined) => beginWith(state, found, missingIn)
  await readBaseline(fs, path, state, begin)
  if (state.size === 0) begin(await findTree(fs, root))
  let running: Promise<void> | undefined

  return {
    known,
    pending,
    calls,
    get uncovered() {
      return state.uncovered
    },
    learn: (each, now) => learn(state, each, now),
    postpone(each, stamp) {
      learn(state, each, undefined)
      pending.set(each, stamp)
    },
    nameUncovered: (named) => nameUncovered(state, named),
    begin(call) {
      calls.set(call.toolCallId, call)
      state.news.push(JSON.stringify({ begun: call }))
    },
    end(toolCallId) {
      if (calls.delete(toolCallId)) state.news.push(JSON.stringify({ ended: toolCallId }))
    },
    catchUp(read) {
      running ??= readPending(state, read).finally(() => {
        running = undefined
      })
      return running
    },
    isWorthSharing: (scan) =>
      known.own.size > Math.max(FEW, known.size * OWN_SHARE) ||
      known.listedAnew(scan) > Math.max(FEW_FOLDERS, scan.visited.size * OWN_SHARE),
    share: (scan, head) => share(state, scan, head, (bytes) => writeTree(fs, root, bytes)),
    save: serially(() => writeBaseline(fs, path, state)),
  }
}

/** What others have seen, and whose contents are there. */
function beginWith(
  state: BaselineState,
  found: NamedTree | undefined,
  missingIn: BaselineOptions['missingIn'],
): boolean {
  const missing = found && missingIn(found.tree)
  if (found === undefined || missing === undefined) return false
  state.treeName = found.name
  state.known.share(found.tree)
  for (const each of missing) learn(state, each, undefined)
  if (state.size === 0) state.isWhole = false
  return true
}

function nameUncovered(state: BaselineState, named: ReadonlyMap<string, UncoveredReason>): void {
  state.uncovered = named
  const text = JSON.stringify({ uncovered: [...named] })
  if (text === state.uncoveredText) return
  state.uncoveredText = text
  state.news.push(text)
}

async function share(
  state: BaselineState,
  scan: Scan,
  head: Omit<TreeHead, 'seen'>,
  write: (bytes: Uint8Array) => Promise<NamedTree | undefined>,
): Promise<void> {
  const { known } = state
  const listing = scan.visited.get('')
  const seen = listing === 'same' ? known.reference().rootSeen : listing?.seen
  if (!scan.isComplete || seen === undefined) return
  const written = await write(encodeTree({ ...head, seen }, known.foldersOf(scan), known.get))
  if (written === undefined) return
  state.treeName = written.name
  known.share(written.tree)
  state.isWhole = false
}

async function readPending(
  state: BaselineState,
  read: (path: string, stamp: Stamp) => Promise<Known | undefined>,
): Promise<void> {
  const { pending } = state
  const first = (): [string, Stamp] | undefined => pending.entries().next().value
  let pause = performance.now() + BLOCK_MS
  for (let next = first(); next !== undefined; next = first()) {
    const [path, stamp] = next
    const now = await read(path, stamp)
    // Seen anew meanwhile: that is another question.
    if (pending.get(path) === stamp) learn(state, path, now)
    if (performance.now() < pause) continue
    await nextRound()
    pause = performance.now() + BLOCK_MS
  }
}

const BLOCK_MS = 15
/** A session keeps so many paths of its own, or such a part of them, before it shares them. */
const FEW = 64
const OWN_SHARE = 0.02
/** The same for folders, which were listed when they were just made, or have changed: they are listed each time. */
const FEW_FOLDERS = 16

/**
 * The content of every covered file as last seen, so that what a tool changes was had before it ran. Kept
 * beside the journal and derived: after the first time only files whose stamps moved are read. A session begins with
 * what others have seen of the project, and keeps what differs. That is appended to and not synced: a killed process
 * loses nothing, and after a power cut stamps tell what to read again.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { serially } from '../lib/serially.ts'
import { isProjectPath, type Stamp, type UncoveredReason } from './file-state.ts'
import { isFileState, isObject } from './journal.ts'
import { knownFiles, type KnownFiles } from './known-files.ts'
import type { Known } from './observe.ts'
import { findTree, firstLine, readTree, writeTree, type NamedTree } from './shared-trees.ts'
import type { Scan } from './scan.ts'
import { encodeTree, type Tree, type TreeHead } from './tree-file.ts'
import { inSession } from '../format/paths.ts'

/** A tool call that has begun and not ended, as much as is needed to end it in another process. */
export type OpenCall = {
  readonly toolCallId: string
  readonly turnEventId: string
  readonly at: string
  readonly reach: 'paths' | 'project'
  readonly paths: readonly string[]
  /** Paths that were looked at and where nothing was. */
  readonly absent: readonly string[]
  /** False while some content had not been read yet when it began. */
  readonly isCaptured: boolean
}

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
  isWorthSharing(): boolean
  share(scan: Scan, head: Omit<TreeHead, 'seen'>): Promise<void>
  /** Writes what was learnt since. */
  save(): Promise<void>
}

export type BaselineOptions = {
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
  const known = knownFiles()
  const pending = new Map<string, Stamp>()
  const calls = new Map<string, OpenCall>()
  let uncovered: ReadonlyMap<string, UncoveredReason> | undefined
  let uncoveredText = ''
  let treeName: string | undefined
  /** Lines to write, and paths whose lines are made when they are written. */
  let news: string[] = []
  let learnt = new Set<string>()
  /** False when the tree that the lines begin with is gone. */
  let hasTree = true
  /** False after something could not be written, and when the file does not begin with its tree. */
  let isWhole = true
  let running: Promise<void> | undefined

  const save = serially(write)
  const stored = (await fs.read(path)) ?? new Uint8Array()
  let size = stored.lastIndexOf(0x0a) + 1
  let lines = 0
  for (const line of decodeText(stored.subarray(0, size)).split('\n')) {
    if (line === '') continue
    lines++
    await recall(line)
  }
  if (size === 0) begunWith(await findTree(fs, root))

  return {
    known,
    pending,
    calls,
    get uncovered() {
      return uncovered
    },
    learn,
    postpone(path, stamp) {
      learn(path, undefined)
      pending.set(path, stamp)
    },
    nameUncovered(named) {
      uncovered = named
      const text = JSON.stringify({ uncovered: [...named] })
      if (text === uncoveredText) return
      uncoveredText = text
      news.push(text)
    },
    begin(call) {
      calls.set(call.toolCallId, call)
      news.push(JSON.stringify({ begun: call }))
    },
    end(toolCallId) {
      if (calls.delete(toolCallId)) news.push(JSON.stringify({ ended: toolCallId }))
    },
    catchUp(read) {
      running ??= readPending(read).finally(() => {
        running = undefined
      })
      return running
    },
    isWorthSharing: () =>
      pending.size === 0 && known.own.size > Math.max(FEW, known.size * OWN_SHARE),
    async share(scan, head) {
      const listing = scan.visited.get('')
      const seen = listing === 'same' ? known.reference().rootSeen : listing?.seen
      if (!scan.isComplete || seen === undefined) return
      const bytes = encodeTree({ ...head, seen }, known.foldersOf(scan), known.get)
      const written = await writeTree(fs, root, bytes)
      if (written === undefined) return
      treeName = written.name
      known.share(written.tree)
      isWhole = false
    },
    save,
  }

  /** What others have seen, and whose contents are there. */
  function begunWith(found: NamedTree | undefined): boolean {
    const missing = found && missingIn(found.tree)
    if (found === undefined || missing === undefined) return false
    treeName = found.name
    known.share(found.tree)
    for (const each of missing) learn(each, undefined)
    if (size === 0) isWhole = false
    return true
  }

  function learn(path: string, now: Known | undefined): void {
    pending.delete(path)
    if (now === undefined ? !known.delete(path) : known.get(path) === now) return
    if (now !== undefined) known.set(path, now)
    learnt.add(path)
  }

  async function readPending(read: (path: string, stamp: Stamp) => Promise<Known | undefined>) {
    let pause = performance.now() + BLOCK_MS
    for (let next = first(); next !== undefined; next = first()) {
      const [path, stamp] = next
      const now = await read(path, stamp)
      // Seen anew meanwhile: that is another question.
      if (pending.get(path) === stamp) learn(path, now)
      if (performance.now() < pause) continue
      await nextRound()
      pause = performance.now() + BLOCK_MS
    }
  }

  function first(): [string, Stamp] | undefined {
    return pending.entries().next().value
  }

  async function write(): Promise<void> {
    if (isWhole && news.length + learnt.size === 0) return
    const isAdded = isWhole && lines + news.length + learnt.size <= 2 * known.own.size + WORN_LINES
    const fresh = isAdded ? [...[...learnt].map(lineOf), ...news] : wholeText()
    news = []
    learnt = new Set()
    const bytes = encodeText(`${fresh.join('\n')}\n`)
    try {
      if (isAdded) await append(bytes)
      else await fs.writeAtomic(path, bytes, { durable: false })
      size = isAdded ? size + bytes.length : bytes.length
      lines = isAdded ? lines + fresh.length : fresh.length
      isWhole = true
    } catch {
      // A full disk must not stop a tool: it is all known here, and written anew when there is room.
      isWhole = false
    }
  }

  async function append(bytes: Uint8Array): Promise<void> {
    const file = await fs.openAppend(path)
    try {
      await file.truncate(size)
      await file.write([bytes], size)
    } finally {
      await file.close()
    }
  }

  function wholeText(): string[] {
    return [
      ...(treeName === undefined ? [] : [firstLine(treeName)]),
      ...(uncoveredText === '' ? [] : [uncoveredText]),
      ...[...known.own.keys()].map(lineOf),
      ...[...calls.values()].map((call) => JSON.stringify({ begun: call })),
    ]
  }

  function lineOf(path: string): string {
    return JSON.stringify({ path, ...known.get(path) })
  }

  /** What cannot be read is not known; it will be read from the project again. */
  async function recall(line: string): Promise<void> {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      // A line that an append left half: its path is read from the project again.
      return
    }
    if (!isObject(value)) return
    const { path, state, seen, isYoung, blob, begun, ended, tree } = value
    if (isProjectPath(path)) {
      if (!isFileState(state) || !isObject(seen)) known.delete(path)
      else
        known.set(path, {
          state,
          seen: seen as Stamp,
          isYoung: isYoung === true,
          ...(typeof blob === 'string' && { blob }),
        })
    } else if (isObject(begun) && typeof begun['toolCallId'] === 'string') {
      const call = begun as OpenCall
      // Without the tree it is not known what was there when the call began.
      const lost = { reach: 'paths', isCaptured: false } as const
      calls.set(call.toolCallId, hasTree ? call : { ...call, ...lost })
    } else if (typeof ended === 'string') {
      calls.delete(ended)
    } else if (Array.isArray(value['uncovered'])) {
      uncovered = new Map(value['uncovered'] as [string, UncoveredReason][])
      uncoveredText = line
    } else if (typeof tree === 'string') {
      hasTree = begunWith(await readTree(fs, tree))
    }
  }
}

const BLOCK_MS = 15
/** So many lines may be outdated before the file is written anew. */
const WORN_LINES = 2000
/** A session keeps so many paths of its own, or such a part of them, before it shares them. */
const FEW = 64
const OWN_SHARE = 0.1

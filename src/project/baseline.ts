/**
 * The content of every covered file as last seen, so that what a tool changes was had before it ran. Kept
 * beside the journal and derived: after the first time only files whose stamps moved are read. It is appended
 * to and not synced: a killed process loses nothing, and after a power cut stamps tell what to read again.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { serially } from '../lib/serially.ts'
import { isProjectPath, sameStamp, type Stamp, type UncoveredReason } from './file-state.ts'
import { isFileState, isObject } from './journal.ts'
import type { Known } from './observe.ts'
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
  readonly known: ReadonlyMap<string, Known>
  /** Seen and not yet read. No path is both known and pending. */
  readonly pending: ReadonlyMap<string, Stamp>
  readonly calls: ReadonlyMap<string, OpenCall>
  /** As the last scan named it; undefined before the first. */
  readonly uncovered: ReadonlyMap<string, UncoveredReason> | undefined
  isFresh(path: string, stamp: Stamp): boolean
  learn(path: string, known: Known | undefined): void
  /** What was known of it does not hold any more; it is to be read. */
  postpone(path: string, stamp: Stamp): void
  nameUncovered(uncovered: ReadonlyMap<string, UncoveredReason>): void
  begin(call: OpenCall): void
  end(toolCallId: string): void
  /** Reads what is pending, one after another; calls of others wait for the same work. */
  catchUp(read: (path: string, stamp: Stamp) => Promise<Known | undefined>): Promise<void>
  /** Writes what was learnt since. */
  save(): Promise<void>
}

export async function openBaseline(fs: SessionFs, dir: string): Promise<Baseline> {
  const path = inSession(dir, 'baseline')
  const known = new Map<string, Known>()
  const pending = new Map<string, Stamp>()
  const calls = new Map<string, OpenCall>()
  let uncovered: ReadonlyMap<string, UncoveredReason> | undefined
  let uncoveredText = ''
  let news: string[] = []
  /** False after something could not be written. */
  let isWhole = true
  let running: Promise<void> | undefined

  const save = serially(write)
  const stored = (await fs.read(path)) ?? new Uint8Array()
  let size = stored.lastIndexOf(0x0a) + 1
  let lines = 0
  for (const line of decodeText(stored.subarray(0, size)).split('\n')) {
    if (line === '') continue
    lines++
    recall(line)
  }

  return {
    known,
    pending,
    calls,
    get uncovered() {
      return uncovered
    },
    isFresh(path, stamp) {
      const had = known.get(path)
      return had !== undefined && !had.isYoung && sameStamp(had.seen, stamp)
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
    save,
  }

  function learn(path: string, now: Known | undefined): void {
    pending.delete(path)
    if (now === undefined ? !known.delete(path) : known.get(path) === now) return
    if (now !== undefined) known.set(path, now)
    news.push(JSON.stringify(now === undefined ? { path } : { path, ...now }))
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
    if (news.length === 0) return
    const fresh = isWhole && lines + news.length <= 2 * known.size + WORN_LINES ? news : wholeText()
    const isAdded = fresh === news
    news = []
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
      ...(uncoveredText === '' ? [] : [uncoveredText]),
      ...[...known].map(([path, now]) => JSON.stringify({ path, ...now })),
      ...[...calls.values()].map((call) => JSON.stringify({ begun: call })),
    ]
  }

  /** What cannot be read is not known; it will be read from the project again. */
  function recall(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      // A line that an append left half: its path is read from the project again.
      return
    }
    if (!isObject(value)) return
    const { path, state, seen, isYoung, begun, ended } = value
    if (isProjectPath(path)) {
      if (!isFileState(state) || !isObject(seen)) known.delete(path)
      else known.set(path, { state, seen: seen as Stamp, isYoung: isYoung === true })
    } else if (isObject(begun) && typeof begun['toolCallId'] === 'string') {
      calls.set(begun['toolCallId'], begun as OpenCall)
    } else if (typeof ended === 'string') {
      calls.delete(ended)
    } else if (Array.isArray(value['uncovered'])) {
      uncovered = new Map(value['uncovered'] as [string, UncoveredReason][])
      uncoveredText = line
    }
  }
}

const BLOCK_MS = 15
/** So many lines may be outdated before the file is written anew. */
const WORN_LINES = 2000

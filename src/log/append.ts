/**
 * Appends events in the order in which they are given and tells of each only when it is durable. Events
 * that arrive while a sync is under way share the next one. Trouble with the disk keeps them queued; it is
 * told, and tried again until it passes or has lasted too long, unless the one who owns the files has gone for good.
 */
import { codeOf } from '../fs/fs-error.ts'
import type { AppendFile, SessionFs } from '../fs/session-fs.ts'
import type { Draft } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { deferred } from '../lib/deferred.ts'
import { openDurable, type Fence } from './durable-file.ts'
import { EventsNotOnDisk, LeaseLost, LogClosed, LogMoved } from './errors.ts'
import { openPatience, type PatienceLimits, type Trouble } from './retry-write.ts'
import type { LogRecord } from './record.ts'
import { stamp } from './stamp.ts'

export type AppenderOptions = {
  /** Where the log ends, and the id of its last record. */
  readonly size: number
  readonly lastId: EventId | null
  /** Debounced: an append is acknowledged before it is on disk, and gets there within half a second. */
  readonly durability: 'synced' | 'debounced'
  readonly fence?: Fence
  readonly clock: () => Date
  readonly newId: () => string
  readonly onTrouble: (trouble: Trouble) => void
  readonly onRecovered: () => void
  readonly limits?: Partial<AppenderLimits>
}

type AppenderLimits = PatienceLimits & { readonly debounceMs: number }

const LIMITS: AppenderLimits = {
  debounceMs: 500,
  firstRetryMs: 100,
  maxRetryMs: 2000,
  giveUpMs: 6000,
}

type LogEnd = { readonly size: number; readonly lastId: EventId | null }

type AloneWork<T> = (
  open: () => Promise<AppendFile>,
  end: LogEnd,
) => Promise<LogEnd & { result: T }>

export interface Appender {
  /** The durable end of the log. */
  readonly size: number
  readonly lastId: EventId | null
  append(drafts: readonly Draft[]): Promise<readonly LogRecord[]>
  /**
   * Runs work on the file while nothing else is written: after everything queued, before everything later.
   * It opens the file when it is sure that it will change it.
   * The work syncs what it changes and gives the new end. When it throws, the log is as it was, or closed for good.
   */
  alone<T>(work: AloneWork<T>): Promise<T>
  /** Resolves when everything appended so far is durable. */
  flush(): Promise<void>
  /** From now on nothing is tried twice: what the disk refuses, the caller that waits for it is told. */
  stopRetrying(): void
  /** What is being tried again is tried once more, and no longer. Without trouble nothing changes. */
  hurry(): void
  /** Flushes. When the disk still refuses after one more attempt, says how many events are not on it. */
  close(): Promise<void>
}

type Queued = {
  readonly records: readonly LogRecord[]
  readonly bytes: Uint8Array
  readonly settle: { resolve(): void; reject(reason: Error): void }
}

export function openAppender(fs: SessionFs, path: string, options: AppenderOptions): Appender {
  const { clock, newId, onTrouble, onRecovered } = options
  const limits = { ...LIMITS, ...options.limits }
  const file = openDurable(fs, path, options)
  const patience = openPatience(limits, onTrouble)
  let lastId = options.lastId
  /** Where the next append begins, behind everything queued. */
  let end: LogEnd = { size: options.size, lastId }
  let queue: Queued[] = []
  let writing: Promise<void> | undefined
  /** Appends that wait for work that runs alone; undefined when none runs. */
  let waiting: (() => void)[] | undefined
  let aloneEnds: Promise<void> | undefined
  let failure: Error | undefined
  let isClosing = false
  let debounce: NodeJS.Timeout | undefined

  async function append(drafts: readonly Draft[]): Promise<readonly LogRecord[]> {
    const wait = turn()
    if (wait !== undefined) await wait
    if (drafts.length === 0) return []
    const { records, bytes } = stamp(drafts, end, { clock, newId })
    end = { size: end.size + bytes.length, lastId: records.at(-1)?.event.id ?? end.lastId }
    const { promise, resolve, reject } = deferred<void>()
    queue.push({ records, bytes, settle: { resolve, reject } })
    if (options.durability === 'synced') {
      writing ??= writeQueue()
      await promise
    } else {
      promise.catch(() => {}) // told by flush and close
      debounce ??= setTimeout(() => {
        debounce = undefined
        writing ??= writeQueue()
      }, limits.debounceMs)
    }
    return records
  }

  /** Waits only while work runs alone, so that ids are given in the order of the calls. */
  function turn(): Promise<void> | undefined {
    if (waiting !== undefined) {
      const { promise, resolve } = deferred<void>()
      waiting.push(resolve)
      return promise.then(turn)
    }
    if (failure !== undefined) throw failure
    if (isClosing) throw new LogClosed(path)
    return undefined
  }

  async function writeQueue(): Promise<void> {
    await undefined // all that is appended in this tick shares one sync
    clearTimeout(debounce)
    debounce = undefined
    while (queue.length > 0) {
      const batch = queue
      queue = []
      await writeOut(batch).catch((cause: unknown) => fail(asError(cause), batch))
    }
    writing = undefined
  }

  async function writeOut(batch: readonly Queued[]): Promise<void> {
    const chunks = batch.map(({ bytes }) => bytes)
    let hadTrouble: boolean
    try {
      hadTrouble = await patience.keepTrying(() => file.commit(chunks), isHopeless)
    } catch (cause) {
      if (isTaken(cause)) return fail(cause, batch)
      return fail(new EventsNotOnDisk(path, countOf([...batch, ...queue]), cause), batch)
    }
    lastId = batch.at(-1)?.records.at(-1)?.event.id ?? lastId
    for (const { settle } of batch) settle.resolve()
    if (hadTrouble) onRecovered()
  }

  function fail(error: Error, batch: readonly Queued[]): void {
    failure = error
    for (const { settle } of [...batch, ...queue]) settle.reject(error)
    queue = []
  }

  async function flush(): Promise<void> {
    if (queue.length > 0) writing ??= writeQueue()
    await writing
    if (failure !== undefined) throw failure
  }

  async function alone<T>(work: AloneWork<T>): Promise<T> {
    const wait = turn()
    if (wait !== undefined) await wait
    const held: (() => void)[] = []
    waiting = held
    const { promise, resolve } = deferred<void>()
    aloneEnds = promise
    try {
      await flush()
      let result: { value: T } | undefined
      await file.change(async (open, size) => {
        const done = await work(open, { size, lastId })
        end = { size: done.size, lastId: done.lastId }
        lastId = done.lastId
        result = { value: done.result }
        return done.size
      })
      if (result === undefined) throw new LogClosed(path)
      return result.value
    } catch (cause) {
      if (isTaken(cause)) failure ??= cause
      throw cause
    } finally {
      waiting = undefined
      resolve()
      for (const resume of held) resume()
    }
  }

  return {
    get size() {
      return file.size
    },
    get lastId() {
      return lastId
    },
    append,
    alone,
    flush,
    stopRetrying: patience.stop,
    hurry: patience.hurry,
    async close() {
      isClosing = true
      patience.stop()
      await aloneEnds
      try {
        await flush()
      } catch (cause) {
        // With every append synced, its caller was told already; else this is the only place to say it.
        if (cause instanceof EventsNotOnDisk || options.durability === 'debounced') throw cause
      } finally {
        await file.close()
      }
    },
  }
}

/** The log is another's now. */
const isTaken = (cause: unknown): cause is LeaseLost | LogMoved =>
  cause instanceof LeaseLost || cause instanceof LogMoved

/** Also when the one who owns the files has gone for good. */
const isHopeless = (error: Error): boolean => isTaken(error) || codeOf(error) === 'ENOTCONN'

const countOf = (batch: readonly Queued[]): number =>
  batch.reduce((sum, { records }) => sum + records.length, 0)

const asError = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error(String(cause))

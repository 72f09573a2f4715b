/**
 * A file whose bytes count only once they are synced. Every commit starts at the last good byte; one that
 * fails leaves nothing behind it that counts, and after a failed sync the file is opened anew and checked,
 * because the system may have dropped what it could not write.
 */
import type { AppendFile, SessionFs } from '../fs/session-fs.ts'
import { LeaseLost, LogMoved } from './errors.ts'
import { readRange, withFile } from './range.ts'

/** The right to write: asked before bytes are written, and again before the caller is told that they are. */
export interface Fence {
  /** With a time, an answer that is no older will do. */
  holds(withinMs?: number): Promise<boolean>
}

/** Before a write: a process that takes over within so little shuts this writer out all the same. */
export const JUST_NOW_MS = 1

interface DurableFile {
  /** Every byte before this one is durable. */
  readonly size: number
  /** Durable when it resolves. Throws `LeaseLost` and `LogMoved` for good; after any other failure it may be tried again. */
  commit(chunks: readonly Uint8Array[]): Promise<void>
  /** Lets work move the end of the file and sync it; it gives the new end. A file that is never opened is not made. */
  change(work: (open: () => Promise<AppendFile>, size: number) => Promise<number>): Promise<void>
  close(): Promise<void>
}

/** How many of the last bytes are remembered, to know the file again. */
const MARK_BYTES = 4096

export function openDurable(
  fs: SessionFs,
  path: string,
  { size, fence }: { size: number; fence?: Fence },
): DurableFile {
  let good = size
  /** How far a commit that failed may have written. */
  let reach = size
  let mark: Uint8Array | undefined
  let file: AppendFile | undefined
  let identity: string | undefined

  async function commit(chunks: readonly Uint8Array[]): Promise<void> {
    await requireLease(fence, JUST_NOW_MS)
    const target = await ready()
    const end = good + chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    reach = end
    try {
      await target.write(chunks, good)
    } catch (cause) {
      await cutBack(target)
      throw cause
    }
    await syncOrDrop(target)
    await requireLease(fence)
    good = end
    mark = Buffer.from(chunks.at(-1)?.subarray(-MARK_BYTES) ?? [])
  }

  async function change(
    work: (open: () => Promise<AppendFile>, size: number) => Promise<number>,
  ): Promise<void> {
    await requireLease(fence)
    try {
      good = reach = await work(ready, good)
    } catch (cause) {
      await drop()
      throw cause
    }
    mark = await lastBytes(MARK_BYTES)
    await requireLease(fence)
  }

  /** The open file, ending at the last good byte. */
  async function ready(): Promise<AppendFile> {
    if (file === undefined && good > 0 && (await fs.stat(path)) === undefined) {
      throw new LogMoved(path, 'it is gone')
    }
    const isReopened = file === undefined
    const target = (file ??= await fs.openAppend(path))
    const actual = await target.size()
    if (actual < good) throw new LogMoved(path, `it was cut from ${good} to ${actual} bytes`)
    if (actual > reach) throw new LogMoved(path, `it has grown from ${reach} to ${actual} bytes`)
    if (isReopened) await recognise(target)
    if (actual > good) await target.truncate(good)
    reach = good
    return target
  }

  async function recognise(target: AppendFile): Promise<void> {
    if (identity !== undefined && identity !== target.identity) {
      throw new LogMoved(path, 'its name stands for another file now')
    }
    identity = target.identity
    const found = await lastBytes(mark?.length ?? MARK_BYTES)
    if (mark !== undefined && found?.equals(mark) !== true) {
      throw new LogMoved(path, 'what was acknowledged last is no longer there')
    }
    mark = found
  }

  /** The last good bytes of the file. */
  const lastBytes = (length: number): Promise<Buffer | undefined> =>
    withFile(fs, path, (opened) =>
      readRange(opened, { start: Math.max(0, good - length), end: good }),
    )

  async function syncOrDrop(target: AppendFile): Promise<void> {
    try {
      await target.sync()
    } catch (cause) {
      // A second sync could succeed without having written what the first one failed to write.
      await drop()
      throw cause
    }
  }

  async function cutBack(target: AppendFile): Promise<void> {
    try {
      await target.truncate(good)
      reach = good
    } catch {
      // The failed append is what is told. The bytes behind the good end are cut when it is opened again.
      await drop()
    }
  }

  async function drop(): Promise<void> {
    const target = file
    file = undefined
    await target?.close().catch(() => {}) // nothing is acknowledged on it any more
  }

  return {
    get size() {
      return good
    },
    commit,
    change,
    close: drop,
  }
}

export async function requireLease(fence: Fence | undefined, withinMs = 0): Promise<void> {
  if (fence !== undefined && !(await fence.holds(withinMs))) throw new LeaseLost()
}

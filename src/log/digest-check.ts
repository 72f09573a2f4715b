/** Which stretches of a log are not as they were written, by its digest. White space changes nothing. */
import type { EventId } from '../format/ids.ts'
import { inSession, logPath } from '../format/paths.ts'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import type { Fault } from '../lib/fault.ts'
import { grouped } from '../lib/grouped.ts'
import { readDigest, type Stretch } from './digest.ts'
import { hashOf, readRange, sha256 } from './range.ts'
import type { LogRecord } from './record.ts'

export interface DigestCheck {
  /** Every record of the log, in order. */
  meet(record: LogRecord): void
  faults(): AsyncIterable<Fault>
}

export async function openDigestCheck(fs: SessionFs, dir: string): Promise<DigestCheck> {
  const all = await readDigest(fs, dir)
  const wanted = new Set<string>(all.map(({ lastId }) => lastId))
  const ends = new Map<string, number>()
  const firsts = new Map<number, EventId>()
  let lastEnd = 0
  let isFirst = true
  return {
    meet({ event, start, end }) {
      if (isFirst) firsts.set(start, event.id)
      isFirst = wanted.has(event.id)
      if (isFirst) ends.set(event.id, end)
      lastEnd = end
    },
    faults: () => faultsIn(fs, dir, { all, ends, firsts, size: lastEnd }),
  }
}

type Seen = {
  readonly all: Awaited<ReturnType<typeof readDigest>>
  /** Where the last events of stretches end now. */
  readonly ends: ReadonlyMap<string, number>
  readonly firsts: ReadonlyMap<number, EventId>
  readonly size: number
}

async function* faultsIn(fs: SessionFs, dir: string, seen: Seen): AsyncGenerator<Fault> {
  const { all, ends, size } = seen
  const path = logPath(dir)
  const damaged = (problem: string): Fault => ({ path, kind: 'damaged', problem })
  if (all.some(({ isRight }) => !isRight))
    yield {
      path: inSession(dir, 'digest'),
      kind: 'derived',
      problem: 'is not as it was written: what it says of the log is not known any more',
    }
  const file = await fs.openRead(path)
  if (file === undefined) return
  try {
    let from = 0
    let before = 0
    /** Stretches whose end is not found: they are judged with the next one that is. */
    let open: Stretch[] = []
    for (const stretch of all) {
      const length = stretch.end - before
      before = stretch.end
      if (!stretch.isRight) continue
      if ((stretch.lost ?? 0) > 0)
        yield {
          path,
          kind: 'foreign',
          problem: `had lost ${grouped(stretch.lost ?? 0)} bytes when it was opened before byte ${grouped(from)}: another program took turns back, or a disk lost them`,
        }
      const to = stretch.lastId === '' ? from + length : ends.get(stretch.lastId)
      if (to === undefined || to < from) {
        open.push(stretch)
        continue
      }
      const isSame = open.length === 0 && (await isAsWritten(file, { from, to, length }, stretch))
      if (!isSame && stretch.sha256 !== undefined)
        yield damaged(
          `is not as it was written somewhere from byte ${grouped(from)} to ${grouped(to)}`,
        )
      open = []
      from = to
    }
    yield* ofEnd(seen, { from, open, before, size }, damaged)
  } finally {
    await file.close()
  }
}

/** The log does not have the ends of the last stretches. */
function* ofEnd(
  { firsts }: Seen,
  {
    from,
    open,
    before,
    size,
  }: { from: number; open: readonly Stretch[]; before: number; size: number },
  damaged: (problem: string) => Fault,
): Generator<Fault> {
  const [first] = open
  if (first === undefined) return
  if (size > from && firsts.get(from) === first.firstId)
    yield damaged(
      `is not as it was written, or cut, somewhere from byte ${grouped(from)} to ${grouped(size)}`,
    )
  else if (size <= from)
    yield damaged(`is cut: it had ${grouped(before)} bytes and has ${grouped(size)}`)
  else
    yield {
      ...damaged(
        `goes on otherwise than it did from byte ${grouped(from)}: another program took turns back`,
      ),
      kind: 'foreign',
    }
}

async function isAsWritten(
  file: ReadFile,
  { from, to, length }: { readonly from: number; readonly to: number; readonly length: number },
  { sha256: hash }: Stretch,
): Promise<boolean> {
  if (hash === undefined) return true
  const range = { start: from, end: to }
  if (to - from === length && (await hashOf(file, range)) === hash) return true
  if (to - from > MOST_COMPARED) return false
  const text = (await readRange(file, range)).toString()
  return sha256(Buffer.from(text.split('\n').map(inPlainWords).join('\n'))) === hash
}

const MOST_COMPARED = 128 * 1024 * 1024

function inPlainWords(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line))
  } catch {
    // No event: it counts as it stands.
    return line
  }
}

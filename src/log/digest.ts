/**
 * What the log was when it was written: hashes of its stretches, beside it, by which a doctor finds what was altered
 * since. Derived: it never blocks an append and needs no sync of its own. It covers durable bytes alone, so after a
 * crash it is behind the log and goes on from there; what was there before the first stretch is not known.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { inSession, logPath } from '../format/paths.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { checkOf, readCheckedLine, withCheck } from '../lib/checked-line.ts'
import { fieldsOf } from '../lib/fields.ts'
import { idBefore } from './find.ts'
import { readRange, sha256, withFile } from './range.ts'
import { readBlocks } from './split.ts'

export type Stretch = {
  /** It begins where the one before ends. */
  readonly end: number
  /** Of its first and last event; the empty text where a line is none. */
  readonly firstId: string
  readonly lastId: string
  /** Undefined for what was there before. */
  readonly sha256?: string
  /** So many bytes that had been covered before were gone when the log was opened. */
  readonly lost?: number
}

type Known = Stretch & { readonly check: string; readonly isRight: boolean }

interface LogDigest {
  /** Covers all that is durable by now. Calls while one is under way share the next; never throws. */
  extend(size: number): Promise<void>
  /** Before the log is cut. Also throws nothing: a digest that says too much is put right when the log is opened. */
  cut(size: number): Promise<void>
}

/** So much may be appended before it is covered without being asked for. */
export const EXTEND_EVERY_BYTES = 256 * 1024

export const NO_DIGEST: LogDigest = { extend: async () => {}, cut: async () => {} }

/** Of a log that was settled, and whose only writer the caller is. */
export async function openDigest(
  fs: SessionFs,
  dir: string,
  { size }: { readonly size: number },
): Promise<LogDigest> {
  // A client that owns its files keeps them, and answers for them.
  if (!fs.isShared) return NO_DIGEST
  let last = await aligned(fs, dir, size)
  let lost = last?.lost ?? 0
  let work: Promise<void> = Promise.resolve()
  const alone = (action: () => Promise<void>): Promise<void> =>
    (work = work.then(action).catch(() => {})) // it stays behind the log, and is tried again
  if (last === undefined && size > 0) {
    const lastId = (await idBefore(fs, logPath(dir), size)) ?? ''
    await alone(async () => {
      last = await write(fs, dir, undefined, [{ end: size, firstId: '', lastId }])
    })
  }
  return {
    extend: (to) =>
      alone(async () => {
        if (to <= (last?.end ?? 0)) return
        const [first, ...others] = await stretchesOf(fs, dir, last?.end ?? 0, to)
        if (first === undefined) return
        last = await write(fs, dir, last, [lost > 0 ? { ...first, lost } : first, ...others])
        lost = 0
      }),
    cut: (to) =>
      alone(async () => {
        if (last !== undefined && last.end > to)
          last = await trimmed(fs, dir, ({ end }) => end <= to)
      }),
  }
}

/** Of a log that was just made as a whole, such as a fork. */
export async function digestWhole(fs: SessionFs, dir: string): Promise<void> {
  if (!fs.isShared) return
  await fs.remove(inSession(dir, 'digest'))
  const size = (await fs.stat(logPath(dir)))?.size ?? 0
  await write(fs, dir, undefined, await stretchesOf(fs, dir, 0, size))
}

/** All of them, in their order. */
export async function readDigest(fs: SessionFs, dir: string): Promise<readonly Known[]> {
  return parsed((await fs.read(inSession(dir, 'digest'))) ?? new Uint8Array())
}

async function stretchesOf(
  fs: SessionFs,
  dir: string,
  from: number,
  to: number,
): Promise<readonly Stretch[]> {
  const stretches = await withFile(fs, logPath(dir), async (file) => {
    const found: Stretch[] = []
    for await (const block of readBlocks(file, { from, to, chunkBytes: EXTEND_EVERY_BYTES })) {
      if (block.kind !== 'lines') break
      const { bytes, start } = block
      const first = bytes.subarray(0, bytes.indexOf(0x0a))
      const last = bytes.subarray(bytes.lastIndexOf(0x0a, bytes.length - 2) + 1, -1)
      const end = start + bytes.length
      found.push({ end, firstId: idIn(first), lastId: idIn(last), sha256: sha256(bytes) })
    }
    return found
  })
  return stretches ?? []
}

function idIn(line: Uint8Array): string {
  const { id } = fieldsOf(json(decodeText(line)))
  return typeof id === 'string' ? id : ''
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A damaged line is covered like any other; it has no id.
    return undefined
  }
}

async function write(
  fs: SessionFs,
  dir: string,
  last: Known | undefined,
  stretches: readonly Stretch[],
): Promise<Known | undefined> {
  let check = last?.check ?? ''
  const lines = stretches.map((stretch) => {
    const text = JSON.stringify(stretch)
    check = checkOf(text, check)
    return `${withCheck(text, check)}\n`
  })
  const newest = stretches.at(-1)
  if (newest === undefined) return last
  const file = await fs.openAppend(inSession(dir, 'digest'))
  try {
    await file.write([encodeText(lines.join(''))], last === undefined ? 0 : await file.size())
  } finally {
    await file.close()
  }
  return { ...newest, check, isRight: true }
}

/** The last stretch that the log still has; what it does not have any more is left out, and how much that was is told. */
async function aligned(fs: SessionFs, dir: string, size: number): Promise<Known | undefined> {
  const path = inSession(dir, 'digest')
  const stored = await withFile(fs, path, (file) =>
    readRange(file, { start: Math.max(0, file.size - TAIL_BYTES), end: file.size }),
  )
  if (stored === undefined) return undefined
  const last = parsed(stored).at(-1)
  const isWhole = stored.at(-1) === 0x0a
  if (last !== undefined && isWhole && (await stands(fs, dir, last, size)))
    return { ...last, lost: 0 }
  const all = await readDigest(fs, dir)
  let kept = all.length
  while (kept > 0) {
    const each = all[kept - 1]
    if (each !== undefined && (await stands(fs, dir, each, size))) break
    kept -= 1
  }
  const reach = all.at(-1)?.end ?? 0
  const found = await trimmed(fs, dir, (_, index) => index < kept)
  const lost = reach - (found?.end ?? 0)
  return found && { ...found, lost }
}

/** Holds many lines. */
const TAIL_BYTES = 2048

async function stands(
  fs: SessionFs,
  dir: string,
  { end, lastId, isRight }: Known,
  size: number,
): Promise<boolean> {
  if (!isRight || end > size) return false
  return lastId === '' || (await idBefore(fs, logPath(dir), end)) === lastId
}

/** Those that are kept stand at the beginning. */
async function trimmed(
  fs: SessionFs,
  dir: string,
  isKept: (stretch: Known, index: number) => boolean,
): Promise<Known | undefined> {
  const kept = (await readDigest(fs, dir)).filter(isKept)
  const bytes = kept.map(
    ({ check, isRight: _isRight, ...stretch }) => `${withCheck(JSON.stringify(stretch), check)}\n`,
  )
  await fs.writeAtomic(inSession(dir, 'digest'), encodeText(bytes.join('')), { durable: false })
  return kept.at(-1)
}

/** A first line that was cut off is left out, and what the next one is linked to is not known then. */
function parsed(stored: Uint8Array): Known[] {
  const found: Known[] = []
  let link = ''
  for (const line of decodeText(stored.subarray(0, stored.lastIndexOf(0x0a) + 1)).split('\n')) {
    if (line === '') continue
    const read = readCheckedLine(line, link)
    link = read.link
    const { end, firstId, lastId, sha256: hash, lost } = fieldsOf(json(read.text))
    if (typeof end !== 'number' || typeof firstId !== 'string' || typeof lastId !== 'string')
      continue
    found.push({
      end,
      firstId,
      lastId,
      ...(typeof hash === 'string' && { sha256: hash }),
      ...(typeof lost === 'number' && { lost }),
      check: read.link,
      isRight: read.checked === 'right',
    })
  }
  return found
}

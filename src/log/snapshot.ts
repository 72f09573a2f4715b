/**
 * A folded state and the place in the log up to which it was folded. Derived and disposable: one that does
 * not fit the log, byte for byte where it is looked at, or that another version wrote, counts as none.
 */
import { z } from 'zod'
import { EventIdSchema } from '../format/id-schemas.ts'
import type { EventId } from '../format/ids.ts'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { inSession, logPath } from '../format/paths.ts'
import { readRange, sha256, withFile } from './range.ts'
import { readableSize } from './redo.ts'
import { parseJson } from './rewound.ts'

const VERSION = 1
const SAMPLE_BYTES = 4096

type Snapshot<S> = {
  readonly offset: number
  /** Up to there. */
  readonly turns: number
  readonly lastId: EventId
  readonly eventCount: number
  readonly state: S
}

const Stored = z.object({
  version: z.literal(VERSION),
  stateVersion: z.number(),
  offset: z.int().positive(),
  turns: z.int().optional(),
  lastId: EventIdSchema,
  headHash: z.string(),
  tailHash: z.string(),
  eventCount: z.int(),
  state: z.unknown(),
})

/** Also one that no longer fits, and says so: a log that was cut still begins as it did. */
export async function readAnySnapshot<S>(
  fs: SessionFs,
  dir: string,
  { stateVersion }: { stateVersion: number },
): Promise<(Snapshot<S> & { readonly fits: boolean }) | undefined> {
  const bytes = await fs.read(inSession(dir, 'snapshot'))
  const stored = bytes && parseJson(bytes, Stored)
  if (stored === undefined || stored.stateVersion !== stateVersion) return undefined
  const { offset, turns = 0, lastId, eventCount, state } = stored
  // The state version is the promise that the program that wrote this state would read it as the same type.
  return {
    offset,
    turns,
    lastId,
    eventCount,
    state: state as S,
    fits: await fitsLog(fs, dir, stored),
  }
}

const ABOUT_BYTES = 1024
const ABOUT =
  /^\{"version":(\d+),"stateVersion":\d+,"offset":(\d+),"turns":(\d+),"lastId":"[^"]*","headHash":"(\w+)","tailHash":"(\w+)"/

/** How many turns there were at its place, told by its first bytes: for lists. Undefined when it does not fit the log. */
export async function readTurnCount(
  fs: SessionFs,
  dir: string,
): Promise<{ readonly offset: number; readonly turns: number } | undefined> {
  const range = { start: 0, end: ABOUT_BYTES }
  const bytes = await withFile(fs, inSession(dir, 'snapshot'), (file) => readRange(file, range))
  const [, version, place, turns, headHash = '', tailHash = ''] =
    ABOUT.exec(bytes?.toString('latin1') ?? '') ?? []
  const offset = Number(place)
  if (Number(version) !== VERSION || !(await fitsLog(fs, dir, { offset, headHash, tailHash })))
    return undefined
  return { offset, turns: Number(turns) }
}

async function fitsLog(
  fs: SessionFs,
  dir: string,
  { offset, headHash, tailHash }: Pick<z.output<typeof Stored>, 'offset' | 'headHash' | 'tailHash'>,
): Promise<boolean> {
  if (offset > (await readableSize(fs, dir))) return false
  const hashes = await withFile(fs, logPath(dir), (log) => hashesAt(log, offset))
  return hashes?.headHash === headHash && hashes.tailHash === tailHash
}

/** Not synced: after a power cut it may be missing, and is folded again. */
export async function writeSnapshot<S>(
  fs: SessionFs,
  dir: string,
  { stateVersion, ...snapshot }: Snapshot<S> & { stateVersion: number },
): Promise<void> {
  const { offset, turns, lastId, eventCount, state } = snapshot
  const hashes = await withFile(fs, logPath(dir), (log) => hashesAt(log, offset))
  if (hashes === undefined) return
  const about = { version: VERSION, stateVersion, offset, turns }
  const stored = { ...about, lastId, ...hashes, eventCount, state }
  const bytes = Buffer.from(JSON.stringify(stored))
  await fs.writeAtomic(inSession(dir, 'snapshot'), bytes, { durable: false })
}

async function hashesAt(
  log: ReadFile,
  offset: number,
): Promise<{ headHash: string; tailHash: string }> {
  const head = await readRange(log, { start: 0, end: Math.min(SAMPLE_BYTES, offset) })
  const tail = await readRange(log, { start: Math.max(0, offset - SAMPLE_BYTES), end: offset })
  return { headHash: sha256(head), tailHash: sha256(tail) }
}

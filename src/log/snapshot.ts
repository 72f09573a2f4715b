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
  readonly lastId: EventId
  readonly eventCount: number
  readonly state: S
}

const Stored = z.object({
  version: z.literal(VERSION),
  stateVersion: z.number(),
  offset: z.int().positive(),
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
  const { offset, lastId, eventCount, state } = stored
  // The state version is the promise that the program that wrote this state would read it as the same type.
  return { offset, lastId, eventCount, state: state as S, fits: await fitsLog(fs, dir, stored) }
}

async function fitsLog(
  fs: SessionFs,
  dir: string,
  { offset, headHash, tailHash }: z.output<typeof Stored>,
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
  const { offset, lastId, eventCount, state } = snapshot
  const hashes = await withFile(fs, logPath(dir), (log) => hashesAt(log, offset))
  if (hashes === undefined) return
  const stored = { version: VERSION, stateVersion, offset, lastId, ...hashes, eventCount, state }
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

/**
 * A folded state and the place in the log up to which it was folded. Derived and disposable: a snapshot that does
 * not fit the log, byte for byte where it is looked at, that another version wrote, or that differs from its hash,
 * counts as none.
 */
import { z } from 'zod'
import { EventIdSchema } from '../format/id-schemas.ts'
import type { EventId } from '../format/ids.ts'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { inSession, logPath } from '../format/paths.ts'
import { checked, withChecksum } from '../lib/checksum.ts'
import { readRange, sha256, withFile } from './range.ts'
import { readableSize } from './redo.ts'
import { parseJson } from './undo-log.ts'

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

/** All but the state. It stands first, so that lists read it alone. */
const Head = z.object({
  version: z.literal(VERSION),
  stateVersion: z.number(),
  offset: z.int().positive(),
  turns: z.int(),
  lastId: EventIdSchema,
  headHash: z.string(),
  tailHash: z.string(),
  eventCount: z.int(),
  /** Of the JSON text of the state. */
  stateHash: z.string(),
  checksum: z.string(),
})
type SnapshotHead = z.output<typeof Head>

/** Also one that no longer fits, and says so: a log that was cut still begins as it did. */
export async function readAnySnapshot<S>(
  fs: SessionFs,
  dir: string,
  { stateVersion }: { stateVersion: number },
): Promise<(Snapshot<S> & { readonly fits: boolean }) | undefined> {
  const bytes = await fs.read(inSession(dir, 'snapshot'))
  const stored = bytes && (asWritten(bytes) ?? inOtherWords(bytes))
  if (stored === undefined || stored.head.stateVersion !== stateVersion) return undefined
  const { offset, turns, lastId, eventCount } = stored.head
  // The hash is right, so the program of this state version wrote the state, as the type it reads.
  const state = stored.state as S
  return { offset, turns, lastId, eventCount, state, fits: await fitsLog(fs, dir, stored.head) }
}

/** Whether a snapshot is there that can be used, one of another version, or one that is not as it was written. */
export async function checkSnapshot(
  fs: SessionFs,
  dir: string,
  { stateVersion }: { stateVersion: number },
): Promise<'none' | 'fits' | 'behind' | 'older' | 'damaged'> {
  const bytes = await fs.read(inSession(dir, 'snapshot'))
  if (bytes === undefined) return 'none'
  const snapshot = await readAnySnapshot(fs, dir, { stateVersion })
  if (snapshot !== undefined) return snapshot.fits ? 'fits' : 'behind'
  if (asWritten(bytes) ?? inOtherWords(bytes)) return 'older'
  return parseJson(bytes, Unhashed) === undefined ? 'damaged' : 'older'
}

/** As earlier versions wrote it. */
const Unhashed = z.object({ version: z.int(), offset: z.int(), checksum: z.undefined().optional() })

const STATE = ',"state":'
const HEAD_BYTES = 2048

type Stored = { readonly head: SnapshotHead; readonly state: unknown }

function headOf(bytes: Buffer): { readonly head: SnapshotHead; readonly end: number } | undefined {
  const end = bytes.subarray(0, HEAD_BYTES).indexOf(STATE)
  const head =
    end === -1 ? undefined : parseJson(Buffer.concat([bytes.subarray(0, end), CLOSED]), Head)
  return head === undefined || checked(head) !== 'right' ? undefined : { head, end }
}

const CLOSED = Buffer.from('}')

function asWritten(stored: Uint8Array): Stored | undefined {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  const { head, end } = headOf(bytes) ?? {}
  if (head === undefined || end === undefined) return undefined
  const state = bytes.subarray(end + STATE.length, -1)
  return sha256(state) === head.stateHash
    ? { head, state: JSON.parse(state.toString()) }
    : undefined
}

/** The same values with other white space. */
function inOtherWords(bytes: Uint8Array): Stored | undefined {
  const stored = parseJson(bytes, Head.extend({ state: z.unknown() }))
  if (stored === undefined) return undefined
  const { state, ...head } = stored
  const isRight =
    checked(head) === 'right' && sha256(Buffer.from(JSON.stringify(state) ?? '')) === head.stateHash
  return isRight ? { head, state } : undefined
}

/** How many turns there were at its place, told by its first bytes: for lists. Undefined when it does not fit the log. */
export async function readTurnCount(
  fs: SessionFs,
  dir: string,
): Promise<{ readonly offset: number; readonly turns: number } | undefined> {
  const range = { start: 0, end: HEAD_BYTES }
  const bytes = await withFile(fs, inSession(dir, 'snapshot'), (file) => readRange(file, range))
  const { head } = (bytes && headOf(bytes)) ?? {}
  if (head === undefined || !(await fitsLog(fs, dir, head))) return undefined
  return { offset: head.offset, turns: head.turns }
}

async function fitsLog(
  fs: SessionFs,
  dir: string,
  { offset, headHash, tailHash }: Pick<SnapshotHead, 'offset' | 'headHash' | 'tailHash'>,
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
  const { offset, turns, lastId, eventCount } = snapshot
  const hashes = await withFile(fs, logPath(dir), (log) => hashesAt(log, offset))
  if (hashes === undefined) return
  const state = Buffer.from(JSON.stringify(snapshot.state))
  const place = { version: VERSION, stateVersion, offset, turns, lastId, ...hashes, eventCount }
  const head = JSON.stringify(withChecksum({ ...place, stateHash: sha256(state) }))
  const bytes = Buffer.concat([Buffer.from(`${head.slice(0, -1)}${STATE}`), state, CLOSED])
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

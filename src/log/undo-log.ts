/**
 * What rewinds removed: for each an entry of two files, the bytes (`NNN.jsonl`) and, once they are durable,
 * what they were (`NNN.json`). An entry whose cut never happened is nothing. One that is damaged stays where it is, and
 * nothing is done by it.
 */
import { z } from 'zod'
import { EventIdSchema } from '../format/id-schemas.ts'
import type { EventId } from '../format/ids.ts'
import { SpentSchema } from '../format/spent.ts'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { layout } from '../format/layout.ts'
import { inSession, logPath, readName, sessionFolder } from '../format/paths.ts'
import { checked, withChecksum } from '../lib/checksum.ts'
import { findBytes } from '../lib/find-bytes.ts'
import { findEvent } from './find.ts'
import { hashOf, readRange, startsWithBytesOf, withFile } from './range.ts'
import { NEWLINE } from './split.ts'

const Meta = z.object({
  version: z.literal(1),
  upToEventId: EventIdSchema,
  eventsRemoved: z.int().nonnegative(),
  cutAt: z.int().nonnegative(),
  lastKeptId: EventIdSchema.nullable(),
  removedBytes: z.int().nonnegative(),
  rewoundAt: z.string(),
  /** Of the removed bytes. Like the checksum, earlier versions do not write it. */
  sha256: z.string().optional(),
  /** What the removed turns used. Absent from earlier versions: then the bytes tell it. */
  spent: z.array(SpentSchema).optional(),
  checksum: z.string().optional(),
})
type RewoundMeta = z.output<typeof Meta>

export type RewoundEntry = RewoundMeta & {
  /** NNN, in the order of the rewinds. */
  readonly entry: string
}

export const bytesPath = (dir: string, entry: string): string =>
  inSession(dir, 'rewound', { nnn: entry })
export const metaPath = (dir: string, entry: string): string =>
  inSession(dir, 'rewoundAbout', { nnn: entry })

/** Oldest first, without those that are damaged. */
export async function listRewound(fs: SessionFs, dir: string): Promise<readonly RewoundEntry[]> {
  const found = await lookAtRewound(fs, dir)
  return found.flatMap(({ about }) => (about === undefined ? [] : [about]))
}

export type RewoundLook = {
  readonly entry: string
  readonly hasBytes: boolean
  readonly hasAbout: boolean
  /** Undefined when one of the two files is gone, or the second is not as it was written. */
  readonly about: RewoundEntry | undefined
}

/** Every entry, oldest first. The removed bytes are not read. */
export async function lookAtRewound(fs: SessionFs, dir: string): Promise<readonly RewoundLook[]> {
  const looks: RewoundLook[] = []
  for (const { entry, hasBytes, hasAbout } of await entriesOf(fs, dir)) {
    const meta = hasAbout && hasBytes ? await readMeta(fs, dir, entry) : undefined
    const about = meta && { entry, ...meta }
    looks.push({ entry, hasBytes, hasAbout, about })
  }
  return looks
}

export async function nextEntry(fs: SessionFs, dir: string): Promise<string> {
  const last = (await entriesOf(fs, dir)).at(-1)
  return String(Number(last?.entry ?? 0) + 1).padStart(3, '0')
}

/** The bytes must be durable before. */
export async function describeEntry(
  fs: SessionFs,
  dir: string,
  entry: string,
  meta: RewoundMeta,
): Promise<void> {
  await fs.writeAtomic(metaPath(dir, entry), encodeMeta(meta), { durable: true })
}

const encodeMeta = (meta: RewoundMeta): Buffer =>
  Buffer.from(`${JSON.stringify(withChecksum(Meta.parse(meta)))}\n`)

/** What describes an entry whose bytes are to be those of another file. Undefined where nothing described it. */
export async function describedAnew(
  fs: SessionFs,
  dir: string,
  entry: string,
  bytesAt: string,
): Promise<Uint8Array | undefined> {
  const meta = await readMeta(fs, dir, entry)
  const file =
    meta &&
    (await withFile(fs, bytesAt, async (bytes) => ({
      removedBytes: bytes.size,
      sha256: await hashOf(bytes, { start: 0, end: bytes.size }),
    })))
  return meta && encodeMeta({ ...meta, ...file })
}

/** First what makes it an entry: bytes alone are nothing. */
export async function removeEntry(fs: SessionFs, dir: string, entry: string): Promise<void> {
  await fs.remove(metaPath(dir, entry))
  await fs.remove(bytesPath(dir, entry))
}

/** Removes what rewinds left behind that never came to their cut. What the log does not hold stays, however damaged. */
export async function settleRewound(fs: SessionFs, dir: string): Promise<void> {
  const entries = await entriesOf(fs, dir)
  for (const each of entries) {
    if (!isWhole(each) && (await isHeldByLog(fs, dir, each))) await removeEntry(fs, dir, each.entry)
  }
  const newest = entries.findLast(isWhole)
  if (newest === undefined) return
  const meta = await readMeta(fs, dir, newest.entry)
  if (meta !== undefined && (await isStillInLog(fs, dir, newest.entry, meta))) {
    await removeEntry(fs, dir, newest.entry)
  }
}

/** Of an entry that lacks one of its files. */
export async function isHeldByLog(
  fs: SessionFs,
  dir: string,
  { entry, hasBytes }: Pick<Entry, 'entry' | 'hasBytes'>,
): Promise<boolean> {
  const first = hasBytes
    ? await withFile(fs, bytesPath(dir, entry), firstLineOf)
    : (await readMeta(fs, dir, entry))?.upToEventId
  if (first === undefined) return false
  if (typeof first === 'string') return (await findEvent(fs, logPath(dir), first)) !== undefined
  if (first.length === 0) return true
  return (await withFile(fs, logPath(dir), (log) => findBytes(log, [first])))?.size === 1
}

/** The id of the first event, or the bytes where they are none. */
async function firstLineOf(file: ReadFile): Promise<EventId | Buffer> {
  for (let size = FIRST_LOOK_BYTES; ; size *= 16) {
    const bytes = await readRange(file, { start: 0, end: Math.min(size, file.size) })
    const end = bytes.indexOf(NEWLINE)
    if (end === -1 && bytes.length < file.size && size < MOST_LOOK_BYTES) continue
    const first = end === -1 ? undefined : parseJson(bytes.subarray(0, end), FirstEvent)
    return first?.id ?? bytes
  }
}

const FIRST_LOOK_BYTES = 64 * 1024
const MOST_LOOK_BYTES = 16 * 1024 * 1024
const FirstEvent = z.object({ id: EventIdSchema })

/** Event ids are unique, so the same bytes in the same place mean that they were never cut, or brought back. */
export async function isStillInLog(
  fs: SessionFs,
  dir: string,
  entry: string,
  { cutAt, removedBytes }: RewoundMeta,
): Promise<boolean> {
  const same = await withFile(fs, logPath(dir), async (log) => {
    const standAt = (at: number) => (bytes: ReadFile) =>
      startsWithBytesOf(log, at, bytes, removedBytes)
    const path = bytesPath(dir, entry)
    // A cut inside a line adds a newline, so its bytes stood one byte before.
    return (await withFile(fs, path, standAt(cutAt))) || withFile(fs, path, standAt(cutAt - 1))
  })
  return same === true
}

type Entry = Pick<RewoundLook, 'entry' | 'hasBytes' | 'hasAbout'>

const isWhole = ({ hasBytes, hasAbout }: Entry): boolean => hasBytes && hasAbout

/** In order. */
async function entriesOf(fs: SessionFs, dir: string): Promise<readonly Entry[]> {
  const [bytes, about] = [new Set<string>(), new Set<string>()]
  for (const { name } of await fs.list(sessionFolder(dir, 'rewound'))) {
    const [entry, described] = [layout.session.rewound, layout.session.rewoundAbout].map(
      (row) => readName(row, name)?.nnn,
    )
    if (entry !== undefined) bytes.add(entry)
    if (described !== undefined) about.add(described)
  }
  return [...new Set([...bytes, ...about])]
    .sort((one, other) => Number(one) - Number(other))
    .map((entry) => ({ entry, hasBytes: bytes.has(entry), hasAbout: about.has(entry) }))
}

/** Undefined when it is not as it was written. */
async function readMeta(
  fs: SessionFs,
  dir: string,
  entry: string,
): Promise<RewoundMeta | undefined> {
  const bytes = await fs.read(metaPath(dir, entry))
  const meta = bytes && parseJson(bytes, Meta)
  return meta === undefined || checked(meta) === 'wrong' ? undefined : meta
}

/** Undefined when the bytes are not what the schema says. */
export function parseJson<T extends z.ZodType>(
  bytes: Uint8Array,
  schema: T,
): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(bytes).toString())).data
  } catch {
    // Not JSON is not what the schema says either.
    return undefined
  }
}

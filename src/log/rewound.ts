/**
 * What rewinds removed: for each an entry of two files, the bytes (`NNN.jsonl`) and, once they are durable,
 * what they were (`NNN.json`). An entry without the second file, or whose cut never happened, is nothing.
 */
import { z } from 'zod'
import { EventIdSchema } from '../format/id-schemas.ts'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { layout } from '../format/layout.ts'
import { inSession, logPath, readName, sessionFolder } from '../format/paths.ts'
import { startsWithBytesOf, withFile } from './range.ts'

const Meta = z.object({
  version: z.literal(1),
  upToEventId: EventIdSchema,
  eventsRemoved: z.int().nonnegative(),
  cutAt: z.int().nonnegative(),
  lastKeptId: EventIdSchema.nullable(),
  removedBytes: z.int().nonnegative(),
  rewoundAt: z.string(),
})
type RewoundMeta = z.output<typeof Meta>

export type RewoundEntry = RewoundMeta & {
  /** NNN, in the order of the rewinds. */
  readonly entry: string
}

export const bytesPath = (dir: string, entry: string): string =>
  inSession(dir, 'rewound', { nnn: entry })
const metaPath = (dir: string, entry: string): string =>
  inSession(dir, 'rewoundAbout', { nnn: entry })

/** Oldest first. */
export async function listRewound(fs: SessionFs, dir: string): Promise<readonly RewoundEntry[]> {
  const entries: RewoundEntry[] = []
  for (const { entry, isWhole } of await entriesOf(fs, dir)) {
    const meta = isWhole ? await readMeta(fs, dir, entry) : undefined
    if (meta !== undefined) entries.push({ entry, ...meta })
  }
  return entries
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
  const bytes = Buffer.from(`${JSON.stringify(meta)}\n`)
  await fs.writeAtomic(metaPath(dir, entry), bytes, { durable: true })
}

/** First what makes it an entry: bytes alone are nothing. */
export async function removeEntry(fs: SessionFs, dir: string, entry: string): Promise<void> {
  await fs.remove(metaPath(dir, entry))
  await fs.remove(bytesPath(dir, entry))
}

/** Removes what rewinds left behind that never came to their cut. */
export async function settleRewound(fs: SessionFs, dir: string): Promise<void> {
  const entries = await entriesOf(fs, dir)
  for (const { entry, isWhole } of entries) {
    if (!isWhole) await removeEntry(fs, dir, entry)
  }
  const newest = entries.findLast(({ isWhole }) => isWhole)
  if (newest === undefined) return
  const meta = await readMeta(fs, dir, newest.entry)
  if (meta !== undefined && (await isStillInLog(fs, dir, newest.entry, meta))) {
    await removeEntry(fs, dir, newest.entry)
  }
}

/** Event ids are unique, so the same bytes in the same place mean that they were never cut, or brought back. */
async function isStillInLog(
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

/** In order. An entry is whole when both of its files are there. */
async function entriesOf(
  fs: SessionFs,
  dir: string,
): Promise<readonly { entry: string; isWhole: boolean }[]> {
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
    .map((entry) => ({ entry, isWhole: bytes.has(entry) && about.has(entry) }))
}

async function readMeta(
  fs: SessionFs,
  dir: string,
  entry: string,
): Promise<RewoundMeta | undefined> {
  const bytes = await fs.read(metaPath(dir, entry))
  return bytes && parseJson(bytes, Meta)
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

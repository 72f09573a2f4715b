/**
 * What was used in turns that are gone from the log: told by the entries of `rewound/`, and for those that are gone for good by
 * `.reprise/spent.json`. A redo takes its entry away, so nothing counts twice.
 */
import { z } from 'zod'
import { inSession, sessionFolder } from '../format/paths.ts'
import { SpentSchema, type Spent } from '../format/spent.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { checked, withChecksum } from '../lib/checksum.ts'
import { readLog } from './read.ts'
import type { LogRecord } from './record.ts'
import { bytesPath, isStillInLog, listRewound, parseJson, type RewoundEntry } from './undo-log.ts'

const Kept = z.object({
  version: z.literal(1),
  spent: z.array(SpentSchema),
  checksum: z.string(),
})

/** Reads what was used out of events that were removed. */
type SpentIn = (
  portions: AsyncIterable<{ readonly records: readonly LogRecord[] }>,
) => Promise<readonly Spent[]>

/** The files that tell it: as long as these are the same, so is what they tell. */
export async function spentFiles(fs: SessionFs, dir: string): Promise<readonly string[]> {
  const [kept, folder] = [inSession(dir, 'spent'), sessionFolder(dir, 'rewound')]
  const [file, entries] = await fs.statMany([kept, folder])
  const found = file === undefined ? [] : [kept]
  if (entries === undefined) return found
  for (const { name } of await fs.list(folder))
    if (name.endsWith('.json')) found.push(`${folder}/${name}`)
  return found
}

export async function readSpent(
  fs: SessionFs,
  dir: string,
  spentIn: SpentIn,
): Promise<readonly Spent[]> {
  if ((await spentFiles(fs, dir)).length === 0) return []
  const entries = await listRewound(fs, dir)
  const spent = [...(await readKept(fs, dir))]
  for (const each of entries) {
    // A rewind that never came to its cut has removed nothing.
    const isCut = each !== entries.at(-1) || !(await isStillInLog(fs, dir, each.entry, each))
    if (isCut) spent.push(...(await spentOf(fs, dir, each, spentIn)))
  }
  return spent
}

/** What `.reprise/spent.json` is to say when these entries go for good. Undefined when they used nothing. */
export async function keptWithout(
  fs: SessionFs,
  dir: string,
  gone: readonly RewoundEntry[],
  spentIn: SpentIn,
): Promise<Uint8Array | undefined> {
  const added: Spent[] = []
  for (const each of gone) added.push(...(await spentOf(fs, dir, each, spentIn)))
  if (added.length === 0) return undefined
  const kept = { version: 1, spent: [...(await readKept(fs, dir)), ...added] }
  return Buffer.from(`${JSON.stringify(withChecksum(Kept.omit({ checksum: true }).parse(kept)))}\n`)
}

const spentOf = async (
  fs: SessionFs,
  dir: string,
  { entry, spent }: RewoundEntry,
  spentIn: SpentIn,
): Promise<readonly Spent[]> => spent ?? spentIn(readLog(fs, bytesPath(dir, entry)))

async function readKept(fs: SessionFs, dir: string): Promise<readonly Spent[]> {
  const bytes = await fs.read(inSession(dir, 'spent'))
  const kept = bytes && parseJson(bytes, Kept)
  return kept === undefined || checked(kept) === 'wrong' ? [] : kept.spent
}

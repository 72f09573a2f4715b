/**
 * Contents of projects that hold a text, in the packs of the home: found, and left out of them. The packs are derived:
 * what a session knew of its project by such a content is seen again with its next tool call.
 */
import { SESSIONS, TRASH, homeFolder, inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { leaveOut } from './collect-contents.ts'
import { indexPath, listPacks, packPath, readChunk, type PackName } from './home-contents.ts'
import { readIndex } from './pack-index.ts'

export type HeldContents = {
  readonly pack: PackName
  readonly path: string
  readonly sha256s: ReadonlySet<string>
  /** How often the text stands in them. */
  readonly count: number
}

export async function contentsThatHold(
  fs: SessionFs,
  countIn: (bytes: Buffer) => number,
): Promise<readonly HeldContents[]> {
  const held: HeldContents[] = []
  for (const pack of await listPacks(fs)) {
    const sha256s = new Set<string>()
    let count = 0
    for (const [sha256, place] of await readIndex(fs, indexPath(pack))) {
      const chunk = await readChunk(fs, pack, place)
      const bytes = chunk?.subarray(place.offset, place.offset + place.size)
      const times = bytes === undefined ? 0 : countIn(Buffer.from(bytes))
      if (times === 0) continue
      sha256s.add(sha256)
      count += times
    }
    if (count > 0) held.push({ pack, path: packPath(pack), sha256s, count })
  }
  return held
}

/** Nobody may append to the pack meanwhile. */
export async function dropContents(fs: SessionFs, { pack, sha256s }: HeldContents): Promise<void> {
  await leaveOut(fs, pack, (sha256) => !sha256s.has(sha256))
  // Trees name contents too. A session whose tree is gone looks at its project again.
  await fs.remove(homeFolder('tree'))
  for (const folder of [SESSIONS, TRASH]) {
    for (const { name } of await fs.list(folder)) {
      const baseline = inSession(`${folder}/${name}`, 'baseline')
      const bytes = Buffer.from((await fs.read(baseline)) ?? [])
      if ([...sha256s].some((sha256) => bytes.includes(sha256))) await fs.remove(baseline)
    }
  }
}

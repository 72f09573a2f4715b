/** What copies of projects cost in a home: those that all sessions share, and those in the records of sessions. */
import { SESSIONS, homeFolder, inSession, sessionFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { statEach } from '../fs/stat-each.ts'
import { eachApart } from '../lib/each-apart.ts'

export type CopiesCost = {
  /** Contents and trees that sessions share. */
  readonly sharedBytes: number
  /** Sessions that begin with them. */
  readonly sharedBy: number
  /** What tools changed, in the folders of their sessions. */
  readonly recordedBytes: number
}

export async function copiesCost(fs: SessionFs): Promise<CopiesCost> {
  const dirs = (await fs.list(SESSIONS)).map(({ name }) => `${SESSIONS}/${name}`)
  const baselines = await statEach(
    fs,
    dirs.map((dir) => inSession(dir, 'baseline')),
  )
  const known = dirs.filter((_, index) => baselines[index] !== undefined)
  const counted = new Set<string>()
  // What cannot be entered is not counted; doctor names it.
  const shared = await eachApart([homeFolder('contents'), homeFolder('tree')], (folder) =>
    bytesIn(fs, folder, counted),
  )
  const recorded = await eachApart(dirs, async (dir) => {
    const folder = sessionFolder(dir, 'content')
    let bytes = 0
    for (const { name } of await fs.list(folder))
      bytes += await bytesIn(fs, `${folder}/${name}`, counted)
    return bytes
  })
  return {
    sharedBytes: sum(shared.done),
    sharedBy: known.length,
    recordedBytes: sum(recorded.done),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** A file that a fork shares with its source is counted once. */
async function bytesIn(fs: SessionFs, folder: string, counted: Set<string>): Promise<number> {
  const paths = (await fs.list(folder)).map(({ name }) => `${folder}/${name}`)
  let bytes = 0
  for (const stat of await fs.statMany(paths)) {
    if (stat?.kind !== 'file' || counted.has(stat.identity)) continue
    counted.add(stat.identity)
    bytes += stat.size
  }
  return bytes
}

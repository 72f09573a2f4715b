/** What copies of projects cost in a home: those that all sessions share, and those in the records of sessions. */
import { SESSIONS, homeFolder, inSession, sessionFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'

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
  const baselines = await fs.statMany(dirs.map((dir) => inSession(dir, 'baseline')))
  const known = dirs.filter((_, index) => baselines[index] !== undefined)
  let sharedBytes = 0
  for (const folder of [homeFolder('contents'), homeFolder('tree')])
    sharedBytes += await bytesIn(fs, folder)
  let recordedBytes = 0
  for (const dir of dirs) {
    const folder = sessionFolder(dir, 'content')
    for (const { name } of await fs.list(folder))
      recordedBytes += await bytesIn(fs, `${folder}/${name}`)
  }
  return { sharedBytes, sharedBy: known.length, recordedBytes }
}

async function bytesIn(fs: SessionFs, folder: string): Promise<number> {
  const paths = (await fs.list(folder)).map(({ name }) => `${folder}/${name}`)
  const stats = await fs.statMany(paths)
  return stats.reduce((sum, stat) => sum + (stat?.kind === 'file' ? stat.size : 0), 0)
}

/** What turns used that were taken back, where the store does not have it yet. */
import type { Spent } from '../format/spent.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { readSpent, spentFiles } from '../log/spent.ts'
import { spentIn } from '../state/spent.ts'
import type { Artifact } from './artifacts.ts'
import type { KnownArtifact } from './session-row.ts'

type TakenBack = {
  /** The files that tell it, as they were read. */
  readonly files: readonly Artifact[]
  readonly takenBack?: readonly Spent[]
}

export async function readTakenBack(
  fs: SessionFs,
  dir: string,
  known: ReadonlyMap<string, KnownArtifact>,
): Promise<TakenBack> {
  const paths = await spentFiles(fs, dir)
  const stats = await fs.statMany(paths)
  const files = paths.map((path, index): Artifact => {
    const { size = 0, mtimeMs = 0 } = stats[index] ?? {}
    const artifact = { path: path.slice(dir.length + 1), size, mtimeMs }
    const before = known.get(artifact.path)
    const isKnown = before?.size === size && before.mtimeMs === mtimeMs
    return isKnown ? artifact : { ...artifact, text: '' }
  })
  const isSame =
    files.every(({ text }) => text === undefined) &&
    [...known.keys()].filter(isTold).length === files.length
  return isSame ? { files } : { files, takenBack: await readSpent(fs, dir, spentIn) }
}

const isTold = (path: string): boolean => /^\.reprise\/(?:rewound\/|spent\.json$)/.test(path)

/**
 * How many turns a long log has, without reading it: a snapshot says how many there were where it was taken, and what
 * was written since is counted. Undefined where that is too much for a list.
 */
import type { SessionFs } from '../../fs/session-fs.ts'
import { logPath } from '../../format/paths.ts'
import { readRange, withFile } from '../../log/range.ts'
import { readTurnCount } from '../../log/snapshot.ts'
import { turnsIn } from './log-head.ts'

const MOST_COUNTED = 256 * 1024

export async function countTurns(
  fs: SessionFs,
  dir: string,
  size: number,
): Promise<number | undefined> {
  const { offset, turns } = (await readTurnCount(fs, dir)) ?? { offset: 0, turns: 0 }
  // A log that is shorter was cut since.
  if (offset > size || size - offset > MOST_COUNTED) return undefined
  const since = await withFile(fs, logPath(dir), (file) =>
    readRange(file, { start: offset, end: size }),
  )
  return since === undefined ? undefined : turns + turnsIn(since)
}

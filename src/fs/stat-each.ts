import { codeOf } from './fs-error.ts'
import type { FileStat, SessionFs } from './session-fs.ts'

/** As `statMany`, but a path that cannot be looked at counts as missing and does not fail the others. */
export async function statEach(
  fs: SessionFs,
  paths: readonly string[],
): Promise<readonly (FileStat | undefined)[]> {
  try {
    return await fs.statMany(paths)
  } catch {
    // Which path failed is not told: each is asked for alone.
  }
  const stats: (FileStat | undefined)[] = []
  for (const path of paths) {
    const stat = await fs.stat(path).catch((cause: unknown) => {
      if (codeOf(cause) === undefined) throw cause
      return undefined
    })
    stats.push(stat)
  }
  return stats
}

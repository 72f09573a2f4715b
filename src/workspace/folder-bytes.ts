/** How much a session takes: the bytes of all regular files in its folder, links not followed. */
import type { SessionFs } from '../fs/session-fs.ts'
import { filesBelow } from './files.ts'

export async function folderBytes(fs: SessionFs, dir: string): Promise<number> {
  const stats = await fs.statMany(await filesBelow(fs, dir))
  return stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0)
}

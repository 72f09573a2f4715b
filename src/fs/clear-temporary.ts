/** Removes what processes that are no more left in the making, at all levels of a folder. */
import type { SessionFs } from './session-fs.ts'

export async function clearTemporary(fs: SessionFs, folder: string): Promise<void> {
  for (const path of await fs.leftTemporary(folder)) await fs.remove(path)
}

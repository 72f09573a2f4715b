/** A new file for its owner alone, outside of any home. What exists is never written over. */
import { open } from 'node:fs/promises'

/** False when the name is taken. */
export async function writeNew(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(bytes)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

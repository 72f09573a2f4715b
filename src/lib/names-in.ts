/** The names in a folder, sorted. One that is missing or cannot be read has none. */
import { readdir } from 'node:fs/promises'

export const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).sort()

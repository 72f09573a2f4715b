/** Whether a disk has any room left. */
import { statfsSync } from 'node:fs'

/** A database cannot even be opened with less. */
const LITTLE = 64 * 1024

export function isDiskFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < LITTLE
  } catch {
    // Not told: then nothing is said of it.
    return false
  }
}

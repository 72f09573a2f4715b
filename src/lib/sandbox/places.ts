/** Places of the disk as they are now, for the walls of a sandbox. */
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import type { Access, Place } from './walls.ts'

/** Where a path leads. Undefined for one that leads nowhere: there is nothing to mount. */
export function placeNow(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    // As said above.
    return undefined
  }
}

/** Those of the paths that are there, where they lead. */
export const placesNow = (paths: readonly string[], access: Access): readonly Place[] =>
  [...new Set(paths)].flatMap((given) => {
    const path = placeNow(given)
    const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
    return path === undefined || stats === undefined
      ? []
      : [{ path, access, isFolder: stats.isDirectory() }]
  })

/** Best effort: a program that needs the folder says that it is missing. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch {
    // As said above.
  }
}

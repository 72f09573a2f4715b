/** Whether a path is a folder or lies below it; both are absolute and resolved. */
import { isAbsolute, relative, sep } from 'node:path'

export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The files that the shell puts in the place of a pattern. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compileGlob } from './match-glob.ts'

const MOST_FOUND = 2000

/**
 * What the shell puts in the place of a pattern, spelled as it spells it; empty when nothing fits. Undefined when there
 * are too many, or a folder is closed to us.
 */
export async function filesFitting(
  glob: string,
  folder: string,
): Promise<readonly string[] | undefined> {
  let found = [glob.startsWith('/') ? '/' : '']
  for (const segment of glob.split('/')) {
    if (segment === '') continue
    const next = await Promise.all(found.map((at) => step(at, segment, folder)))
    if (next.includes(undefined)) return undefined
    found = next.flatMap((each) => each ?? [])
    if (found.length > MOST_FOUND) return undefined
  }
  return found
}

async function step(
  at: string,
  segment: string,
  folder: string,
): Promise<readonly string[] | undefined> {
  const below = (name: string) => (at === '' || at.endsWith('/') ? at + name : `${at}/${name}`)
  if (!/(?<!\\)[*?[]/.test(segment)) return [below(segment.replaceAll(/\\(.)/gs, '$1'))]
  const names = await namesIn(at.startsWith('/') ? at : join(folder, at))
  const fits = compileGlob(segment)
  if (names === undefined || fits === undefined) return undefined
  // The shell leaves `.` and `..` to patterns that begin with a dot.
  const all = segment.startsWith('.')
    ? [...names, '.', '..']
    : names.filter((name) => !name.startsWith('.'))
  return all.filter(fits).map(below)
}

/** Empty for what is no folder, undefined for one that is closed to us. */
export const namesIn = (path: string): Promise<readonly string[] | undefined> =>
  readdir(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR' ? [] : undefined,
  )

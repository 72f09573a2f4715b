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

const MOST_BELOW = 20_000

/** Folders in which nobody keeps what rules are about, and which hold most of the files of a project. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Files below a folder; links are not followed. Undefined when there are too many to look at. */
export async function filesBelow(folder: string): Promise<readonly string[] | undefined> {
  const files: string[] = []
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // What is closed to us, is no folder or is gone holds nothing that the command could open.
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (!entry.isDirectory()) files.push(path)
      else if (!LEFT_OUT.has(entry.name)) waiting.push(path)
    }
    if (files.length + waiting.length > MOST_BELOW) return undefined
  }
  return files
}

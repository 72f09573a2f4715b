/**
 * Which files and folders of this disk an absolute pattern stands for. A pattern is followed from folder to folder; only
 * where `**` stands in the midst of it are all folders below looked at, by finders that are kept.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isBelow } from '../is-below.ts'
import { compileGlob, expandBraces, fitsName, tokensOf } from '../match-glob.ts'
import { realPath } from '../real-path.ts'
import type { Found } from './find-places.ts'

export type Pattern = {
  readonly text: string
  /** Only folders: what is meant is everything in them. */
  readonly isFolder: boolean
  /** The part before the first `**`, and all of it where there is none. */
  readonly stem: readonly string[]
  readonly hasAny: boolean
}

/** `a/**` is the folder `a`. Too many alternatives are no pattern; rules with them are refused elsewhere. */
export const patternsOf = (absolute: string): readonly Pattern[] =>
  (expandBraces(absolute) ?? []).map((text) => {
    const isFolder = text.endsWith('/**')
    const bare = isFolder ? text.replace(/(?:\/\*\*)+$/, '') : text
    const names = bare.split('/').filter((name) => name !== '' && name !== '.')
    const any = names.indexOf('**')
    return {
      text: `/${names.join('/')}`,
      isFolder,
      stem: any === -1 ? names : names.slice(0, any),
      hasAny: any !== -1,
    }
  })

/** What the stem of a pattern stands for: existing places, links resolved. */
export async function expandStem({ stem }: Pattern): Promise<readonly string[]> {
  let reached = ['/']
  for (const [at, name] of stem.entries()) {
    const isLast = at === stem.length - 1
    const next = await Promise.all(reached.map((folder) => entriesOf(folder, name, isLast)))
    reached = next.flat()
  }
  return Array.from(new Set(await Promise.all(reached.map(realPath))))
}

async function entriesOf(folder: string, name: string, isLast: boolean): Promise<string[]> {
  if (!/[*?[\\]/.test(name)) {
    const path = join(folder, name)
    return (await isThere(path)) ? [path] : []
  }
  const tokens = tokensOf(name)
  // A folder that is closed to us is closed to every program that we start.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) =>
    (isLast || entry.isDirectory() || entry.isSymbolicLink()) &&
    fitsName(tokens, Array.from(entry.name))
      ? [join(folder, entry.name)]
      : [],
  )
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false, // as said above
  )

/** Whether a path that a finder sees is meant; `root` is where the pattern begins, as the disk has it. */
export function meansPlace(
  { text, isFolder, stem }: Pattern,
  root: string,
): (entry: Found) => boolean {
  const rest = text.split('/').slice(1 + stem.length)
  const last = compileGlob(rest.at(-1) ?? '**')
  const whole = compileGlob(rest.join('/'))
  return ({ path, name, isFolder: isFolderThere, isLink }) =>
    (!isFolder || isFolderThere || isLink) &&
    (rest.at(-1) === '**' || last?.(name) === true) &&
    isBelow(root, path) &&
    whole?.(path.slice(root === '/' ? 1 : root.length + 1)) === true
}
